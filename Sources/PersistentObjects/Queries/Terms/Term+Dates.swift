public import struct Foundation.Date

// Parts of a date, in universal time; nil for nil, and before the year 0 and after 9999.
extension Term where Value == Date {
    /// The year.
    public var year: Term<Int, Int?> { made(.datePart(.year)) }

    /// The month, from 1.
    public var month: Term<Int, Int?> { made(.datePart(.month)) }

    /// The day of the month, from 1.
    public var day: Term<Int, Int?> { made(.datePart(.day)) }

    /// The hour, from 0.
    public var hour: Term<Int, Int?> { made(.datePart(.hour)) }

    /// The minute, from 0.
    public var minute: Term<Int, Int?> { made(.datePart(.minute)) }

    /// The second, from 0.
    public var second: Term<Int, Int?> { made(.datePart(.second)) }

    /// The day of the week, from 1 for Sunday.
    public var weekday: Term<Int, Int?> { made(.datePart(.weekday)) }

    /// The day of the year, from 1.
    public var dayOfYear: Term<Int, Int?> { made(.datePart(.dayOfYear)) }
}
