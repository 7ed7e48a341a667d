internal import StoreEngine

/// The numbers by which captured changes name a table and its columns. They are never reused.
struct CapturedTable {
    /// The contents of a table, which determine the form of its marks.
    enum Kind: String {
        case rows, array, set, dictionary

        init(_ elements: ElementTriggers) {
            guard let key = elements.key else {
                self = .set
                return
            }
            self = Naming.folded(key.name) == ChildTable.positionColumn ? .array : .dictionary
        }
    }

    struct Column {
        let number: Int
        let mergeRule: MergeRule?
    }

    let number: Int
    let kind: Kind
    /// By folded name.
    var columns: [String: Column] = [:]

    subscript(name: String) -> Column? { columns[Naming.folded(name)] }

    /// The mask bit of an inserted row or element.
    static let inserted: Int64 = 1
    /// The mask bit of a deleted row or element.
    static let deleted: Int64 = 2
    /// The number of columns in one part of a row's mark.
    static let columnsPerPart = 60

    /// The part of a row's mark with the bit of a column.
    static func part(_ number: Int) -> Int { number / columnsPerPart }
    /// The position of a column's bit in its part.
    static func shift(_ number: Int) -> Int { number % columnsPerPart + 2 }
    /// The bit of a column in its part.
    static func bit(_ number: Int) -> Int64 { 1 << Int64(shift(number)) }
}
