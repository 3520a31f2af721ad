/* The object that every ahead-of-time module contains (frontend/module), as bytes. */
__asm__(".section .rodata\n"
        ".globl npcc_module_object_begin, npcc_module_object_end\n"
        ".hidden npcc_module_object_begin, npcc_module_object_end\n"
        "npcc_module_object_begin:\n"
        ".incbin \"" NPCC_MODULE_OBJECT "\"\n"
        "npcc_module_object_end:\n"
        ".previous\n");
