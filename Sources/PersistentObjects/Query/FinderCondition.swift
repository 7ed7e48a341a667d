/// The one tree behind all finders: alternatives of comparisons, kept flat so that no length of it overflows a stack.
struct FinderCondition: Hashable, Sendable {
    /// One property, or the id, compared with one argument.
    struct Comparison: Hashable, Sendable {
        /// The links from the class to the one that has the subject: places in `ClassMap.properties` of each.
        var path: [Int] = []
        let subject: Subject
        let operation: Operation

        /// A path whose last place is the subject's; the id is the place after the last.
        init(path: [Int], operation: Operation, isID: Bool) {
            self.path = Array(path.dropLast())
            subject = isID ? .id : .property(path.last ?? 0)
            self.operation = operation
        }

        init(subject: Subject, operation: Operation) {
            self.subject = subject
            self.operation = operation
        }
    }

    enum Subject: Hashable, Sendable {
        case id
        /// The place in `ClassMap.properties`.
        case property(Int)
    }

    enum Operation: String, Hashable, Sendable {
        case equal = ""
        /// Of collections and inverses, as what follows.
        case containing = "Containing"
        case isEmpty = "IsEmpty"
        case isNotEmpty = "IsNotEmpty"

        var hasArgument: Bool { self == .equal || self == .containing }
    }

    /// Any of these; each is all of its comparisons. Arguments are bound in this order.
    let alternatives: [[Comparison]]

    var comparisons: [Comparison] { alternatives.flatMap { $0 } }
}
