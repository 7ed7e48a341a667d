public import Foundation

// In-place changes such as `$0.age += 1`. They are written out for each type with such operators, because for a generic
// function the compiler would select the type's own operator and read the property's value, which does not exist.

/// Adds a number.
public func += (a: inout Term<Int, Int>, b: Int) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Int, Int>, b: Term<Int, Int>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Int, Int>, b: Int) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Int, Int>, b: Term<Int, Int>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Int, Int>, b: Int) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Int, Int>, b: Term<Int, Int>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Int8, Int8>, b: Int8) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Int8, Int8>, b: Term<Int8, Int8>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Int8, Int8>, b: Int8) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Int8, Int8>, b: Term<Int8, Int8>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Int8, Int8>, b: Int8) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Int8, Int8>, b: Term<Int8, Int8>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Int16, Int16>, b: Int16) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Int16, Int16>, b: Term<Int16, Int16>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Int16, Int16>, b: Int16) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Int16, Int16>, b: Term<Int16, Int16>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Int16, Int16>, b: Int16) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Int16, Int16>, b: Term<Int16, Int16>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Int32, Int32>, b: Int32) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Int32, Int32>, b: Term<Int32, Int32>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Int32, Int32>, b: Int32) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Int32, Int32>, b: Term<Int32, Int32>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Int32, Int32>, b: Int32) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Int32, Int32>, b: Term<Int32, Int32>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Int64, Int64>, b: Int64) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Int64, Int64>, b: Term<Int64, Int64>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Int64, Int64>, b: Int64) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Int64, Int64>, b: Term<Int64, Int64>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Int64, Int64>, b: Int64) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Int64, Int64>, b: Term<Int64, Int64>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<UInt, UInt>, b: UInt) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<UInt, UInt>, b: Term<UInt, UInt>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<UInt, UInt>, b: UInt) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<UInt, UInt>, b: Term<UInt, UInt>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<UInt, UInt>, b: UInt) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<UInt, UInt>, b: Term<UInt, UInt>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<UInt8, UInt8>, b: UInt8) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<UInt8, UInt8>, b: Term<UInt8, UInt8>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<UInt8, UInt8>, b: UInt8) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<UInt8, UInt8>, b: Term<UInt8, UInt8>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<UInt8, UInt8>, b: UInt8) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<UInt8, UInt8>, b: Term<UInt8, UInt8>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<UInt16, UInt16>, b: UInt16) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<UInt16, UInt16>, b: Term<UInt16, UInt16>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<UInt16, UInt16>, b: UInt16) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<UInt16, UInt16>, b: Term<UInt16, UInt16>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<UInt16, UInt16>, b: UInt16) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<UInt16, UInt16>, b: Term<UInt16, UInt16>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<UInt32, UInt32>, b: UInt32) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<UInt32, UInt32>, b: Term<UInt32, UInt32>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<UInt32, UInt32>, b: UInt32) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<UInt32, UInt32>, b: Term<UInt32, UInt32>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<UInt32, UInt32>, b: UInt32) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<UInt32, UInt32>, b: Term<UInt32, UInt32>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<UInt64, UInt64>, b: UInt64) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<UInt64, UInt64>, b: Term<UInt64, UInt64>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<UInt64, UInt64>, b: UInt64) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<UInt64, UInt64>, b: Term<UInt64, UInt64>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<UInt64, UInt64>, b: UInt64) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<UInt64, UInt64>, b: Term<UInt64, UInt64>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Double, Double>, b: Double) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Double, Double>, b: Term<Double, Double>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Double, Double>, b: Double) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Double, Double>, b: Term<Double, Double>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Double, Double>, b: Double) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Double, Double>, b: Term<Double, Double>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Float, Float>, b: Float) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Float, Float>, b: Term<Float, Float>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Float, Float>, b: Float) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Float, Float>, b: Term<Float, Float>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Float, Float>, b: Float) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Float, Float>, b: Term<Float, Float>) { a.change(.multiply, b) }

/// Adds a number.
public func += (a: inout Term<Decimal, Decimal>, b: Decimal) { a.change(.add, b) }
/// Adds another property.
public func += (a: inout Term<Decimal, Decimal>, b: Term<Decimal, Decimal>) { a.change(.add, b) }

/// Subtracts a number.
public func -= (a: inout Term<Decimal, Decimal>, b: Decimal) { a.change(.subtract, b) }
/// Subtracts another property.
public func -= (a: inout Term<Decimal, Decimal>, b: Term<Decimal, Decimal>) { a.change(.subtract, b) }

/// Multiplies by a number.
public func *= (a: inout Term<Decimal, Decimal>, b: Decimal) { a.change(.multiply, b) }
/// Multiplies by another property.
public func *= (a: inout Term<Decimal, Decimal>, b: Term<Decimal, Decimal>) { a.change(.multiply, b) }
/// Multiplies by an integer property.
public func *= <I: BinaryInteger>(a: inout Term<Decimal, Decimal>, b: Term<I, I>) { a = a * b }

/// Appends a string.
public func += (a: inout Term<String, String>, b: String) { a.change(.concatenate, b) }
/// Appends the string of another property.
public func += (a: inout Term<String, String>, b: Term<String, String>) { a.change(.concatenate, b) }

extension Term {
    fileprivate mutating func change(_ operation: QueryOperation, _ value: Value) {
        self = made(operation, QueryExpression(number: value))
    }

    fileprivate mutating func change(_ operation: QueryOperation, _ other: Term) {
        self = made(operation, other.expression)
    }
}
