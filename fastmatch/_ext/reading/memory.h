/* Memory that was freed, back to the system. */

#ifndef FASTMATCH_READING_MEMORY_H
#define FASTMATCH_READING_MEMORY_H

#if defined(__GLIBC__)
#include <malloc.h>
#endif

static void give_back_memory(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#endif
