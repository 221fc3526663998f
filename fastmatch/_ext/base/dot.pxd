# The inner product of two vectors of float64, for all kernels that need its bits to be the same everywhere.


cdef inline double dot(const double *x, const double *y, Py_ssize_t n) noexcept nogil:
    """Four sums at once. The compiler may not do this by itself, since it changes the last digits of the result."""
    cdef double s0 = 0, s1 = 0, s2 = 0, s3 = 0
    cdef Py_ssize_t k = 0
    while k + 4 <= n:
        s0 += x[k] * y[k]
        s1 += x[k + 1] * y[k + 1]
        s2 += x[k + 2] * y[k + 2]
        s3 += x[k + 3] * y[k + 3]
        k += 4
    while k < n:
        s0 += x[k] * y[k]
        k += 1
    return (s0 + s1) + (s2 + s3)
