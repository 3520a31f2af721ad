#ifndef NPCC_MODULE_SETUP_H
#define NPCC_MODULE_SETUP_H

/* Everything in this folder that must be there before the first call: NumPy, the types, where print() goes. -1 with an
 * exception set. */
int npcc_setup(void);
#endif
