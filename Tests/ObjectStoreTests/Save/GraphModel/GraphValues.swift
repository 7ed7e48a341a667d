import PersistentObjects
import TestSupport

/// The value of a property in the model; objects and values are represented by numbers.
enum GraphValue: Equatable {
    case reference(Int?)
    case array([Int]?)
    case set(Set<Int>?)
    case dictionary([Int: Int]?)

    /// The value without the deleted elements.
    func without(_ gone: Set<Int>) -> GraphValue {
        switch self {
        case .reference(let key): .reference(key.flatMap { gone.contains($0) ? nil : $0 })
        case .array(let keys): .array(keys?.filter { !gone.contains($0) })
        case .set(let keys): .set(keys?.subtracting(gone))
        case .dictionary(let keys): .dictionary(keys?.filter { !gone.contains($0.value) })
        }
    }
}

/// An edit of a property, for the model and for an object.
enum GraphEdit {
    case refer(Int?)
    case append(Int)
    case insert(Int, at: Double)
    case removeOne(at: Double)
    case move(from: Double, to: Double)
    case replace(at: Double, Int)
    case reverse
    case add(Int)
    case drop(Int)
    case put(Int, Int)
    case take(Int)
    case empty
    case becomeNil

    static func random(_ kind: GraphField.Kind, _ isOptional: Bool, _ value: Int?, _ random: inout SeededGenerator)
        -> GraphEdit
    {
        if kind == .reference { return .refer(value.flatMap { Int.random(in: 0..<5, using: &random) == 0 ? nil : $0 }) }
        let chance = Int.random(in: 0..<20, using: &random)
        if chance == 0 { return .empty }
        if chance <= 2, isOptional { return .becomeNil }
        func place() -> Double { Double.random(in: 0..<1, using: &random) }
        let small = Int.random(in: 0..<4, using: &random)
        guard let value else { return .reverse }
        switch kind {
        case .reference, .array:
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: return .append(value)
            case 3: return .insert(value, at: place())
            case 4: return .removeOne(at: place())
            case 5: return .move(from: place(), to: place())
            case 6: return .replace(at: place(), value)
            default: return .reverse
            }
        case .set: return small == 0 ? .drop(value) : .add(value)
        case .dictionary: return small == 0 ? .take(value % 4) : .put(Int.random(in: 0..<4, using: &random), value)
        }
    }
}

extension GraphEdit {
    func apply<T>(to array: inout [T], _ element: (Int) -> T) {
        func place(_ share: Double) -> Int { Int(share * Double(array.count)) }
        switch self {
        case .append(let key): array.append(element(key))
        case .insert(let key, let share): array.insert(element(key), at: place(share))
        case .removeOne(let share): if !array.isEmpty { array.remove(at: place(share)) }
        case .move(let from, let to):
            guard !array.isEmpty else { return }
            let moved = array.remove(at: place(from))
            array.insert(moved, at: place(to))
        case .replace(let share, let key): if !array.isEmpty { array[place(share)] = element(key) }
        case .reverse: array.reverse()
        case .empty: array = []
        default: break
        }
    }

    func apply<T>(to set: inout Set<T>, _ element: (Int) -> T) {
        switch self {
        case .add(let key): set.insert(element(key))
        case .drop(let key): set.remove(element(key))
        case .empty: set = []
        default: break
        }
    }

    func apply<K: Hashable, T>(to dictionary: inout [K: T], _ key: (Int) -> K, _ element: (Int) -> T) {
        switch self {
        case .put(let place, let value): dictionary[key(place)] = element(value)
        case .take(let place): dictionary[key(place)] = nil
        case .empty: dictionary = [:]
        default: break
        }
    }

    /// Replaces nil by an empty value before the edit, unless the edit sets nil.
    func apply<T>(toOptional value: inout T?, _ empty: T, _ body: (inout T) -> Void) {
        if case .becomeNil = self {
            value = nil
            return
        }
        if value == nil { value = empty }
        guard var whole = value else { return }
        // Not shared during the edit, as in client code such as `list?.append(x)`.
        value = empty
        body(&whole)
        value = whole
    }

    func applied(to value: GraphValue) -> GraphValue {
        switch value {
        case .reference(let old):
            if case .refer(let key) = self { return .reference(key) }
            return .reference(old)
        case .array(var array):
            apply(toOptional: &array, []) { apply(to: &$0) { $0 } }
            return .array(array)
        case .set(var set):
            apply(toOptional: &set, []) { apply(to: &$0) { $0 } }
            return .set(set)
        case .dictionary(var dictionary):
            apply(toOptional: &dictionary, [:]) { apply(to: &$0, { $0 }, { $0 }) }
            return .dictionary(dictionary)
        }
    }
}
