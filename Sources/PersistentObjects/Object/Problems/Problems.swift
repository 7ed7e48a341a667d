// Problems: the findings of `validate`. It uses values, and must not use class maps or stores.

internal import StoreEngine

/// The problems that an object's `validate` reports.
///
/// ```swift
/// override func validate(_ problems: inout Problems) {
///     problems.require(!lastName.isEmpty, \Person.lastName, "must not be empty")
///     problems.require(\Person.age, in: 0...150)
///     problems.requireUnique(\Person.email)
/// }
/// ```
///
/// Messages follow the property's name when displayed. They should not contain values, because errors are logged.
public struct Problems {
    /// A problem that was found.
    struct Finding {
        let properties: [AnyKeyPath]
        let message: String
    }

    /// A rule that cannot be checked with the object alone.
    struct Question {
        enum Kind {
            case isUnique
            case areValid([PersistentObject])
        }

        let properties: [AnyKeyPath]
        let kind: Kind
        let message: String?
    }

    /// The validated object.
    let object: PersistentObject
    private(set) var findings: [Finding] = []
    private(set) var questions: [Question] = []
    /// A programming error in `validate` itself.
    private(set) var fault: StoreError?

    init(_ object: PersistentObject) { self.object = object }

    /// Adds a problem of the object as a whole, which counts regardless of the changed properties.
    public mutating func add(_ message: String) { findings.append(Finding(properties: [], message: message)) }

    /// Adds a problem of properties, which counts for a new object and if one of them changed.
    ///
    /// ```swift
    /// if end < start { problems.add(\Stay.start, \Stay.end, message: "must be in order") }
    /// ```
    public mutating func add(_ property: AnyKeyPath, _ others: AnyKeyPath..., message: String) {
        findings.append(Finding(properties: [property] + others, message: message))
    }

    /// Adds a problem of the object as a whole if a condition is false.
    public mutating func require(_ condition: Bool, _ message: String) { if !condition { add(message) } }

    /// Adds a problem of a property if a condition is false.
    public mutating func require(_ condition: Bool, _ property: AnyKeyPath, _ message: String) {
        if !condition { add(property, message: message) }
    }

    mutating func addQuestion(_ kind: Question.Kind, _ properties: [AnyKeyPath], _ message: String?) {
        questions.append(Question(properties: properties, kind: kind, message: message))
    }

    /// The value of a property of the object; nil, with a recorded fault, if the property belongs to another class.
    mutating func value<Root, Value>(of path: KeyPath<Root, Value>) -> Value? {
        if let root = object as? Root { return root[keyPath: path] }
        fail("\(path) is not a property of the class")
        return nil
    }

    /// Records a fault. The save throws the first fault.
    mutating func fail(_ error: any Error) {
        guard error is CancellationError else { return fail("\(error)") }
        fault = fault ?? .cancelled()
    }

    mutating func fail(_ message: String) {
        let name = String(describing: type(of: object))
        fault = fault ?? StoreError(.misuse, "validate: \(message)", className: name, rowID: object.id)
    }
}
