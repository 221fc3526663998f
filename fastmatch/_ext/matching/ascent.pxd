from libc.stdint cimport int64_t

from fastmatch._ext.base.watch cimport Watch
from fastmatch._ext.matching.relaxation cimport Relaxation, Slack


cdef void begin_ascent(Relaxation *relaxation, Slack *slack) noexcept nogil
cdef void first_prices(Relaxation *relaxation, Slack *slack) noexcept nogil
cdef void ascend_by_prices(Relaxation *relaxation, Slack *slack, bint backwards) noexcept nogil
cdef bint ascend(Relaxation *relaxation, double *slack, double worth, int64_t enough, int64_t limit,
                 Watch *watch) noexcept nogil
