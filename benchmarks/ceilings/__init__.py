"""The limits of the machine at hand, measured: every report divides by them."""
