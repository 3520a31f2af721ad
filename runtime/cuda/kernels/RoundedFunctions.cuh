// exp, log and pow to about 70 bits, as the sum of two float64, and rounded from there. A math library's own are within .54 of the last place of what is exact:
// the nearest float64 is theirs, too, where what is exact is clearly closer to it than to any other. Where it is not, the number is left to the host.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_ROUNDED_FUNCTIONS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_ROUNDED_FUNCTIONS_CUH
#include <cstdint>

/// high + low, of which high is the nearest float64.
struct Sum2 {
  double high, low;
};
__device__ inline Sum2 sumOf(double a, double b) {
  double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// The same where |a| is not below |b|.
__device__ inline Sum2 sumOfOrdered(double a, double b) {
  double sum = a + b;
  return {sum, b - (sum - a)};
}
__device__ inline Sum2 productOf(double a, double b) {
  double product = a * b;
  return {product, __fma_rn(a, b, -product)};
}
__device__ inline Sum2 productOf(Sum2 a, Sum2 b) {
  Sum2 product = productOf(a.high, b.high);
  return sumOfOrdered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// 2^(k / 64).
__device__ const Sum2 powersOfTwo[64] = {
    {1.0, 0.0}, {1.0108892860517005, -1.5234778603368577e-17},
    {1.0218971486541166, 5.109225028973444e-17}, {1.0330248790212284, 7.600838874027088e-18},
    {1.0442737824274138, 8.551889705537965e-17}, {1.0556451783605572, 1.759325738772092e-18},
    {1.0671404006768237, -7.899853966841582e-17}, {1.0787607977571199, -6.656660436056593e-17},
    {1.0905077326652577, -3.046782079812471e-17}, {1.102382583307841, 5.2660368715706944e-17},
    {1.1143867425958924, 1.0410278456845571e-16}, {1.1265216186082418, 5.165856758795457e-17},
    {1.1387886347566916, 8.912812676025408e-17}, {1.1511892299529827, 3.250710218863827e-17},
    {1.1637248587775775, 3.8292048369240935e-17}, {1.1763969916502812, 5.554203254218079e-17},
    {1.189207115002721, 3.982015231465646e-17}, {1.202156731452703, 6.644981499252301e-17},
    {1.215247359980469, -7.712630692681488e-17}, {1.22848053610687, -1.89878163130253e-17},
    {1.241857812073484, 4.658027591836937e-17}, {1.255380757024691, -6.7113898212968784e-18},
    {1.2690509571917332, 2.667932131342186e-18}, {1.2828700160787783, 1.713594918243561e-17},
    {1.2968395546510096, 2.5382502794888315e-17}, {1.3109612115247644, -7.181536135519454e-17},
    {1.3252366431597413, -2.8587312100388614e-17}, {1.339667524053303, 8.927282594831732e-17},
    {1.3542555469368927, 7.70094837980299e-17}, {1.3690024229745905, 9.593797919118849e-17},
    {1.383909881963832, -6.770511658794786e-17}, {1.3989796725383112, -9.614213209051323e-17},
    {1.4142135623730951, -9.667293313452913e-17}, {1.42961333839197, -1.2031642489053655e-17},
    {1.4451808069770467, -3.0237581349939873e-17}, {1.460917794180647, -5.600377186075216e-17},
    {1.4768261459394993, -3.483994556892796e-17}, {1.4929077282912648, 1.4192920154284036e-17},
    {1.5091644275934228, -1.016455327754295e-16}, {1.5255981507445384, -1.1024941712342561e-16},
    {1.5422108254079407, 7.949834809697621e-17}, {1.559004400237837, 3.7812070533575275e-17},
    {1.5759808451078865, -1.0136916471278304e-17}, {1.593142151342267, -1.0094406542311964e-16},
    {1.6104903319492543, 2.4707192569797888e-17}, {1.6280274218573478, -6.712955084707084e-17},
    {1.645755478153965, -1.0125679913674773e-16}, {1.6636765803267364, 5.8909926967131e-17},
    {1.681792830507429, 8.199010020581497e-17}, {1.7001063537185235, -8.0237193703977e-18},
    {1.718619298122478, -1.851380418263111e-17}, {1.7373338352737062, 3.164389299292957e-17},
    {1.7562521603732995, 2.960140695448873e-17}, {1.7753764925265212, 6.429731796556572e-17},
    {1.7947090750031072, 1.8227458427912087e-17}, {1.8142521755003989, -9.969531538920349e-17},
    {1.8340080864093424, 3.283107224245627e-17}, {1.8539791250833855, 9.761887490727594e-17},
    {1.8741676341103, -6.122763413004143e-17}, {1.8945759815869656, 3.4034035352165297e-17},
    {1.9152065613971474, -1.0619946056195963e-16}, {1.9360617934922943, 1.0332385960676326e-16},
    {1.9571441241754002, 8.960767791036668e-17}, {1.978456026387951, 4.0388753109278167e-17}};

/// x is between -700 and 700. Relative error: below 2^-72.
__device__ inline Sum2 exponentialOf(Sum2 x) {
  // log(2) / 64 in three parts, of which products with steps are exact.
  constexpr double big = 0.010830424695996044, middle = 2.5310172166025705e-13, small = 6.251695855647999e-24;
  double steps = rint(x.high * 92.33248261689366);
  Sum2 rest = sumOf(x.high - steps * big, -steps * middle);
  rest = sumOfOrdered(rest.high, rest.low + (x.low - steps * small));
  double r = rest.high, cubes = r * r * r * (1. / 6 + r * (1. / 24 + r * (1. / 120 + r * (1. / 720 + r * (1. / 5040)))));
  Sum2 half = productOf(r, 0.5 * r), sum = sumOfOrdered(r, half.high); // exp(r) - 1
  sum = sumOfOrdered(sum.high, sum.low + (half.low + (r * rest.low + rest.low + cubes)));
  int step = int(steps), shift = step >> 6;
  Sum2 power = powersOfTwo[step & 63], scaled = productOf(power, sum);
  Sum2 result = sumOfOrdered(power.high, scaled.high);
  result = sumOfOrdered(result.high, result.low + (power.low + scaled.low));
  double scale = __longlong_as_double((shift + 1023ll) << 52);
  return {result.high * scale, result.low * scale};
}

/// x is positive and normal. The error is below 2^-70, or 2^-70 of the result.
__device__ inline Sum2 logarithmOf(double x) {
  double first = log(x);
  Sum2 inverse = exponentialOf({-first, 0}), product = productOf(x, inverse.high);
  double off = (product.high - 1) + (product.low + x * inverse.low); // exp(first) is a bit too small or too large
  return sumOfOrdered(first, off - 0.5 * off * off);
}

/// The nearest float64. isNear: a library's may be another, which has errors of so much more than half of the last place, but of no more than `most`.
__device__ inline double rounded(Sum2 x, double error, bool &isNear, double most = 1e300) {
  int64_t bits = __double_as_longlong(x.high);
  int64_t exponent = bits >> 52 & 2047;
  // Next to a power of two the places below are half as wide; and very small numbers have fewer of them.
  if (exponent < 100 || exponent > 2040 || !(bits & 0xfffffffffffffll)) {
    isNear = true;
    return x.high;
  }
  double place = __longlong_as_double((exponent - 52) << 52);
  isNear |= fabs(x.low) > 0.5 * place - fmin(error * place, most);
  return x.high;
}

/// A value, and whether the host's may be another. The functions are called, not inlined: kernels have several calls of them.
struct Nearest {
  double value;
  bool isNear;
};

static __device__ __noinline__ Nearest nearestLogOf(double x) {
  if (!(x > 1e-300 && x < 1e300))
    return {log(x), true};
  if (x == 1) // is exact
    return {0, false};
  Sum2 logarithm = logarithmOf(x);
  bool isNear = fabs(logarithm.high) < 0x1p-16; // has not as many places right
  double value = rounded(logarithm, 0.02, isNear, 0x1p-61); // libraries add something small to a number that is exact (random/Logarithms.h)
  return {value, isNear};
}
/// Of a positive x.
static __device__ __noinline__ Nearest nearestPowOf(double x, double y) {
  if (x == 1) // is exact
    return {1, false};
  double about = log(x) * y;
  if (!(x > 1e-300 && x < 1e300) || !(fabs(about) < 690) || fabs(y) > 1e4)
    return {x > 0 ? exp(about) : 0, true};
  Sum2 logarithm = logarithmOf(x), power = productOf(logarithm.high, y);
  power = sumOfOrdered(power.high, power.low + logarithm.low * y);
  bool isNear = false;
  double value = rounded(exponentialOf(power), 0.013 + 4.5e-5 * fabs(power.high), isNear); // a library's error grows with the exponent
  return {value, isNear};
}

__device__ inline double nearestExp(double x, bool &isNear) {
  if (!(fabs(x) < 690)) {
    isNear = true;
    return exp(x);
  }
  return rounded(exponentialOf({x, 0}), 0.012, isNear);
}
__device__ inline double nearestLog(double x, bool &isNear) {
  Nearest found = nearestLogOf(x);
  isNear |= found.isNear;
  return found.value;
}
__device__ inline double nearestPow(double x, double y, bool &isNear) {
  Nearest found = nearestPowOf(x, y);
  isNear |= found.isNear;
  return found.value;
}

#endif
