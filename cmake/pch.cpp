// Exists to give the precompiled header a target.
