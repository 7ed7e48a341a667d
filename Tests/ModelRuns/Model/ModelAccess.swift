import Foundation
import PersistentObjects

/// The accessors of a property.
struct ModelAccess {
    let field: ModelField
    /// Its name in `changes`.
    let name: String
    /// Returns the value; nil if it is not loaded and is not to be loaded.
    let get: (_ object: PersistentObject, _ loading: Bool) -> ModelValue?
    let set: (_ object: PersistentObject, _ value: ModelValue, _ find: (Int) -> PersistentObject?) -> Void
}

/// A class of the runs, in one version.
struct ModelClass {
    let kind: ModelKind
    let accesses: [ModelAccess]
    let make: () -> any Numbered
    let fields: [ModelField]

    init(_ kind: ModelKind, _ make: @escaping () -> any Numbered, _ accesses: [ModelAccess]) {
        (self.kind, self.make, self.accesses) = (kind, make, accesses)
        fields = accesses.map(\.field)
    }

    func access(_ field: ModelField) -> ModelAccess? { accesses.first { $0.field == field } }
}

/// Creates the accessors of a class.
struct ModelAccesses<T: PersistentObject> {
    func scalar(
        _ field: ModelField, named name: String? = nil, _ get: @escaping (T) -> Int?, _ set: @escaping (T, Int?) -> Void
    ) -> ModelAccess {
        access(field, name, { get($0).map { .one($0) } ?? .null }) { object, value, _ in
            if case .one(let code) = value { set(object, code) } else { set(object, nil) }
        }
    }

    func values(_ field: ModelField, _ get: @escaping (T) -> ModelValue, _ set: @escaping (T, ModelValue) -> Void)
        -> ModelAccess
    {
        access(field, nil, get) { object, value, _ in set(object, value) }
    }

    func reference<N: Numbered>(
        _ field: ModelField, named name: String? = nil, _ get: @escaping (T) -> N?, _ set: @escaping (T, N?) -> Void
    ) -> ModelAccess {
        access(field, name, { get($0).map { .one($0.number) } ?? .null }) { object, value, find in
            let present = get(object)
            set(object, value.elements.first.flatMap { $0 == present?.number ? present : find($0) as? N })
        }
    }

    func links<N: Numbered>(
        _ field: ModelField, _ objects: @escaping (T) -> [N], _ get: @escaping (T) -> ModelValue,
        _ set: @escaping (T, ModelValue, (Int) -> N?) -> Void
    ) -> ModelAccess {
        access(field, nil, get) { object, value, find in
            // Elements that the model does not hold are taken from the collection.
            let present = Dictionary(objects(object).map { ($0.number, $0) }) { first, _ in first }
            set(object, value) { present[$0] ?? find($0) as? N }
        }
    }

    private func access(
        _ field: ModelField, _ name: String?, _ get: @escaping (T) -> ModelValue,
        _ set: @escaping (T, ModelValue, (Int) -> PersistentObject?) -> Void
    ) -> ModelAccess {
        ModelAccess(
            field: field, name: name ?? "\(field)",
            get: { object, _ in (object as? T).map(get) ?? .one(-2) },
            set: { object, value, find in if let object = object as? T { set(object, value, find) } })
    }
}
