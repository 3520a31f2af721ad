// Eigenvalues of general matrices for the fake cuSOLVER: a unitary triangle (the QR method with shifts), of whose
// columns the vectors are made. Good for matrices whose eigenvalues differ, as those of random ones do.
#ifndef NPCC_TEST_RUNTIME_FAKEGENERAL_H
#define NPCC_TEST_RUNTIME_FAKEGENERAL_H
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

namespace fake {

class General {
public:
  using Complex = std::complex<double>;
  General(std::vector<Complex> matrix, int64_t n) : a(std::move(matrix)), q(n * n), n(n) {
    for (int64_t k = 0; k < n; ++k)
      q[k * (n + 1)] = 1;
  }

  /// Whether the iterations converged.
  bool triangulate() {
    for (int64_t column = 0; column + 2 < n; ++column)
      for (int64_t row = n - 1; row > column + 1; --row)
        rotate(row - 1, row, column);
    int64_t last = n - 1;
    for (int64_t steps = 0; last > 0; ++steps) {
      if (steps > 60 * n)
        return false;
      int64_t first = last;
      while (first > 0 &&
             std::abs(at(first, first - 1)) > 1e-16 * (std::abs(at(first, first)) + std::abs(at(first - 1, first - 1))))
        --first;
      if (first > 0)
        at(first, first - 1) = 0;
      if (first == last) {
        --last;
        continue;
      }
      sweep(first, last, shiftOf(last));
    }
    return true;
  }
  Complex value(int64_t k) { return at(k, k); }

  /// Of length 1, and real where it is largest.
  std::vector<Complex> vector(int64_t k) {
    std::vector<Complex> inTriangle(n), out(n);
    inTriangle[k] = 1;
    for (int64_t i = k - 1; i >= 0; --i) {
      Complex sum = 0;
      for (int64_t j = i + 1; j <= k; ++j)
        sum += at(i, j) * inTriangle[j];
      Complex apart = at(k, k) - at(i, i);
      inTriangle[i] = sum / (apart == 0.0 ? Complex(1e-300) : apart);
    }
    double length = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j <= k; ++j)
        out[i] += q[j * n + i] * inTriangle[j];
      length += std::norm(out[i]);
    }
    Complex largest =
        *std::max_element(out.begin(), out.end(), [](Complex x, Complex y) { return std::abs(x) < std::abs(y); });
    for (Complex &x : out)
      x *= std::conj(largest) / std::abs(largest) / std::sqrt(length);
    return out;
  }

private:
  Complex &at(int64_t i, int64_t j) { return a[j * n + i]; }

  /// Turns two rows, and the columns of the same numbers, so that the lower element of a column becomes zero.
  void rotate(int64_t upper, int64_t lower, int64_t column) {
    Complex x = at(upper, column), y = at(lower, column);
    turn(upper, lower, x, y);
  }
  void turn(int64_t upper, int64_t lower, Complex x, Complex y) {
    double length = std::hypot(std::abs(x), std::abs(y));
    if (length == 0)
      return;
    Complex c = x / length, s = y / length;
    for (int64_t j = 0; j < n; ++j) {
      Complex u = at(upper, j), v = at(lower, j);
      at(upper, j) = std::conj(c) * u + std::conj(s) * v;
      at(lower, j) = c * v - s * u;
    }
    for (Complex *columns : {a.data(), q.data()})
      for (int64_t i = 0; i < n; ++i) {
        Complex &u = columns[upper * n + i], &v = columns[lower * n + i], w = u;
        u = w * c + v * s;
        v = std::conj(c) * v - std::conj(s) * w;
      }
  }

  /// The eigenvalue of the last two rows that is nearer to the last element.
  Complex shiftOf(int64_t last) {
    Complex p = at(last - 1, last - 1), r = at(last, last), half = (p - r) / 2.0;
    Complex root = std::sqrt(half * half + at(last - 1, last) * at(last, last - 1));
    return std::abs(half + root) < std::abs(half - root) ? r + half + root : r + half - root;
  }

  void sweep(int64_t first, int64_t last, Complex shift) {
    Complex x = at(first, first) - shift, y = at(first + 1, first);
    for (int64_t k = first; k < last; ++k) {
      turn(k, k + 1, x, y);
      if (k + 2 <= last) {
        x = at(k + 1, k);
        y = at(k + 2, k);
      }
    }
  }

  std::vector<Complex> a, q;
  int64_t n;
};

/// `columns` may be null. Of a real matrix a pair of conjugate eigenvalues stands side by side, the one with the
/// positive imaginary part first, and its two columns are the real and the imaginary part of that one's vector.
inline int findGeneral(const char *matrix, bool isReal, int64_t n, std::complex<double> *values, char *columns) {
  using Complex = General::Complex;
  std::vector<Complex> elements(n * n);
  double size = 0;
  for (int64_t k = 0; k < n * n; ++k) {
    elements[k] = isReal ? reinterpret_cast<const double *>(matrix)[k] : reinterpret_cast<const Complex *>(matrix)[k];
    size = std::max(size, std::abs(elements[k]));
  }
  General general(std::move(elements), n);
  if (!general.triangulate())
    return 1;
  int64_t place = 0;
  for (int64_t k = 0; k < n && place < n; ++k) {
    Complex value = general.value(k);
    bool isPair = isReal && std::abs(value.imag()) > 1e-11 * size * double(n);
    if (isPair && value.imag() < 0)
      continue;
    values[place] = isReal && !isPair ? value.real() : value;
    if (isPair)
      values[place + 1] = std::conj(value);
    if (columns) {
      std::vector<Complex> vector = general.vector(k);
      for (int64_t i = 0; i < n; ++i)
        if (isReal) {
          reinterpret_cast<double *>(columns)[place * n + i] = vector[i].real();
          if (isPair)
            reinterpret_cast<double *>(columns)[(place + 1) * n + i] = vector[i].imag();
        } else {
          reinterpret_cast<Complex *>(columns)[place * n + i] = vector[i];
        }
    }
    place += isPair ? 2 : 1;
  }
  return place == n ? 0 : 1;
}

} // namespace fake

#endif
