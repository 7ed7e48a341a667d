public import Foundation
internal import StoreEngine

// Arithmetic with numbers. The result is nil if an operand is nil.
//
// SQL calculates exactly with a `Decimal` whose property has a scale. A literal adds its own decimal places.
extension Term where Value: AdditiveArithmetic {
    /// The sum of the term and a number.
    public static func + (a: Term, b: Value) -> Term { a.made(.add, QueryExpression(number: b)) }

    /// The difference between the term and a number.
    public static func - (a: Term, b: Value) -> Term { a.made(.subtract, QueryExpression(number: b)) }

    /// The sum of the term and another property.
    public static func + <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.add, b.expression) }

    /// The difference between the term and another property.
    public static func - <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.subtract, b.expression) }
}

extension Term where Value: Numeric {
    /// The product of the term and a number.
    public static func * (a: Term, b: Value) -> Term { a.made(.multiply, QueryExpression(number: b)) }

    /// The product of the term and another property.
    public static func * <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.multiply, b.expression) }
}

extension Term where Value: BinaryInteger {
    /// The quotient, rounded toward zero; nil if the divisor is 0.
    public static func / (a: Term, b: Value) -> Term<Value, Value?> { a.made(.divide, QueryExpression(number: b)) }

    /// The quotient of the term and another property, rounded toward zero; nil if that property is 0.
    public static func / <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.divide, b.expression) }

    /// The remainder; nil if the divisor is 0.
    public static func % (a: Term, b: Value) -> Term<Value, Value?> { a.made(.remainder, QueryExpression(number: b)) }
}

extension Term where Value: FloatingPoint {
    /// The quotient; nil if the divisor is 0.
    public static func / (a: Term, b: Value) -> Term<Value, Value?> { a.made(.divide, QueryExpression(number: b)) }

    /// The quotient of the term and another property; nil if that property is 0.
    public static func / <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.divide, b.expression) }
}

// Products of decimal numbers and integers.
extension Term where Value == Decimal {
    /// The product of the term and an integer property; nil if either is nil.
    public static func * <I: BinaryInteger, A>(a: Term, b: Term<I, A>) -> Term<Decimal, Decimal?> {
        a.made(.multiply, b.expression)
    }
}

extension Term where Value == Decimal, Argument == Decimal {
    /// The product of the term and an integer property.
    public static func * <I: BinaryInteger>(a: Term, b: Term<I, I>) -> Term { a.made(.multiply, b.expression) }
}

extension Term where Value: BinaryInteger {
    /// The product of the term and a decimal property; nil if either is nil.
    public static func * <A>(a: Term, b: Term<Decimal, A>) -> Term<Decimal, Decimal?> {
        a.made(.multiply, b.expression)
    }
}

extension Term where Value: BinaryInteger, Value == Argument {
    /// The product of the term and a decimal property.
    public static func * (a: Term, b: Term<Decimal, Decimal>) -> Term<Decimal, Decimal> {
        a.made(.multiply, b.expression)
    }
}

extension QueryExpression {
    /// A number that SQL can calculate with. A decimal number becomes an integer count of its smallest unit.
    init<V>(number: V) {
        guard let decimal = number as? Decimal else {
            self.init(value: number)
            return
        }
        guard case .text(let text)? = try? decimal.encoded() else {
            self.init(value: number)
            return
        }
        let places = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
        guard let whole = ScaledDecimal.number(of: text, scale: places) else {
            self.init(argument: .value(.null))
            fail(QueryError.notExpressible("\(text) has more digits than SQL can calculate with. Calculate in Swift"))
            return
        }
        self = QueryExpression(argument: .value(.integer(whole))).applying(.scaled(places))
    }
}
