"""What npcc's programs cost beside other compilers and beside the machine's own limits."""
