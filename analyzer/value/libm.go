package value

import (
	"math"
	"math/big"
)

// Powers, exponentials and logarithms with the results of C's math library, which
// Python calls: computed with many digits and rounded once. Go's own may be wrong in
// the last digit, on some platforms only, and int() would then cut to another size: 1.2
// ** 3 is 1.7279999999999998, but 1.728 to math.Pow. testdata/value/precise.py records
// them.

// precision is the number of bits of intermediate results.
const precision = 192

var ln2 = func() *big.Float {
	f, _, err := big.ParseFloat("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687", 10, precision, big.ToNearestEven)
	if err != nil {
		panic(err) // the text above is a number
	}
	return f
}()

func precise(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func rounded(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// logarithm returns the natural logarithm of a finite positive number.
func logarithm(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction*2, exponent-1
	}
	// ln f = 2 artanh z, where z = (f-1)/(f+1) is at most 0.18.
	f := precise(fraction)
	z := new(big.Float).Quo(new(big.Float).Sub(f, precise(1)), new(big.Float).Add(f, precise(1)))
	square := new(big.Float).Mul(z, z)
	sum, term := precise(0), new(big.Float).Set(z)
	for i := 1; term.Sign() != 0 && (sum.Sign() == 0 || term.MantExp(nil) > sum.MantExp(nil)-precision); i += 2 {
		sum.Add(sum, new(big.Float).Quo(term, precise(float64(i))))
		term.Mul(term, square)
	}
	sum.Mul(sum, precise(2))
	return sum.Add(sum, new(big.Float).Mul(ln2, precise(float64(exponent))))
}

// exponential returns e to the x, for x between -1100 and 1100.
func exponential(x *big.Float) *big.Float {
	k := math.Round(rounded(new(big.Float).Quo(x, ln2)))
	r := new(big.Float).Sub(x, new(big.Float).Mul(ln2, precise(k)))
	const halvings = 10
	r.SetMantExp(r, -halvings)
	sum, term := precise(1), precise(1)
	for i := 1; term.Sign() != 0 && term.MantExp(nil) > -precision; i++ {
		term.Mul(term, r)
		term.Quo(term, precise(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}

func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return rounded(logarithm(x))
}

func Log2(x float64) float64 {
	if f, e := math.Frexp(x); f == 0.5 {
		return float64(e - 1)
	}
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log2(x)
	}
	return rounded(new(big.Float).Quo(logarithm(x), ln2))
}

func Log10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log10(x)
	}
	return rounded(new(big.Float).Quo(logarithm(x), logarithm(10)))
}

func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return math.Exp(x)
	}
	return rounded(exponential(precise(x)))
}

// pow returns x to the y as math.Pow defines it.
func pow(x, y float64) float64 {
	rough := math.Pow(x, y)
	if rough == 0 || math.IsInf(rough, 0) || math.IsNaN(rough) || y == 0 || x == 1 || x == -1 || math.Abs(rough) < 1e-300 || math.Abs(y) > 1e6 {
		return rough
	}
	product := logarithm(math.Abs(x))
	result := rounded(exponential(product.Mul(product, precise(y))))
	return math.Copysign(result, rough)
}
