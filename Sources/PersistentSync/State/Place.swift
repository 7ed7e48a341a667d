/// A place in an array: a fraction, digit by digit, so that there is a place between any two.
package struct Place: Hashable, Comparable, Sendable {
    package let digits: [UInt8]

    package init(_ digits: [UInt8]) { self.digits = digits }

    package static func < (one: Place, other: Place) -> Bool { one.digits.lexicographicallyPrecedes(other.digits) }

    /// A place between two places. If these are not in order, the place is after the first one.
    ///
    /// It ends with two digits of the device, so that places of two devices at one position differ, and never with a
    /// zero, because there is no place between a fraction and the same with a zero.
    package static func between(
        _ lower: Place?, _ upper: Place?, by device: DeviceID, using random: inout some RandomNumberGenerator
    ) -> Place {
        let low = lower?.digits ?? []
        var bound = upper?.digits
        if let lower, let upper, lower >= upper { bound = nil }
        var digits: [UInt8] = []
        while true {
            let index = digits.count
            let first = index < low.count ? Int(low[index]) : 0
            let last = bound.map { index < $0.count ? Int($0[index]) : 256 } ?? 256
            if last - first > 1 {
                digits.append(UInt8(first + 1 + Int.random(in: 0..<min(8, last - first - 1), using: &random)))
                let number = device.number
                return Place(digits + [UInt8(1 + number % 255), UInt8(1 + number / 255 % 255)])
            }
            digits.append(UInt8(first))
            if last != first { bound = nil }
        }
    }
}
