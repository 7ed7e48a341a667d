// Sums of numbers, with what is nil: nil.
extension Term where Value: AdditiveArithmetic {
    /// The sum with a number.
    public static func + (a: Term, b: Value) -> Term { a.made(.add, QueryExpression(value: b)) }

    /// The difference to a number.
    public static func - (a: Term, b: Value) -> Term { a.made(.subtract, QueryExpression(value: b)) }

    /// The sum with another property.
    public static func + <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.add, b.expression) }

    /// The difference to another property.
    public static func - <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.subtract, b.expression) }
}

extension Term where Value: Numeric {
    /// The product with a number.
    public static func * (a: Term, b: Value) -> Term { a.made(.multiply, QueryExpression(value: b)) }

    /// The product with another property.
    public static func * <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.multiply, b.expression) }
}

extension Term where Value: BinaryInteger {
    /// The quotient, rounded towards zero; nil if the divisor is 0.
    public static func / (a: Term, b: Value) -> Term<Value, Value?> { a.made(.divide, QueryExpression(value: b)) }

    /// The quotient with another property, rounded towards zero; nil if that is 0.
    public static func / <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.divide, b.expression) }

    /// The remainder; nil if the divisor is 0.
    public static func % (a: Term, b: Value) -> Term<Value, Value?> { a.made(.remainder, QueryExpression(value: b)) }
}

extension Term where Value: FloatingPoint {
    /// The quotient; nil if the divisor is 0.
    public static func / (a: Term, b: Value) -> Term<Value, Value?> { a.made(.divide, QueryExpression(value: b)) }

    /// The quotient with another property; nil if that is 0.
    public static func / <A>(a: Term, b: Term<Value, A>) -> Term<Value, Value?> { a.made(.divide, b.expression) }
}
