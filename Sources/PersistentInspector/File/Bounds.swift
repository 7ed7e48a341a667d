/// The limits of the output and of statements.
enum Bounds {
    /// The number of rows of a page, and of the elements of a collection.
    static let rows = 50
    /// The number of rows that a statement can return.
    static let statementRows = 1000
    /// The number of characters of a string.
    static let characters = 200
    /// The bytes from which a value on a page is only measured, and not read.
    static let bytes = 1 << 20
    /// The number of characters of a string on the page of its object, and in a form.
    static let shownCharacters = 20_000
    /// The number at which counts stop.
    static let count = 100_000
    /// The time of a statement.
    static let time = Duration.seconds(5)

    /// A count as it is shown; a count beyond the limit shows the limit.
    static func shown(_ count: Int) -> String {
        count > Bounds.count ? "\(grouped(Bounds.count))+" : grouped(count)
    }

    /// A number with commas between groups of three digits.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }
}
