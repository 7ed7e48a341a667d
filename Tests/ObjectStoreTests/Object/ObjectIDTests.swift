import PersistentObjects
import TestSupport
import Testing

/// `id` is the row's id wherever it is written. An `Identifiable` class has a second `id`, the address of the object,
/// which Swift prefers if the context is `Any`.
@Suite struct ObjectIDTests {
    final class Tag: PersistentObject {
        var name = ""
    }

    private func text(_ value: Any) -> String { "\(value)" }
    private func texts(_ values: Any?...) -> [String] { values.map { "\($0 ?? "nil")" } }
    private func erased<T: Persistent>(_ object: T) -> Any { object.id ?? 0 }
    private func described<T>(_ value: T) -> String { "\(T.self) \(value)" }

    @Test func `an id is the row's id if the context is Any`() throws {
        try Store.inMemory().withSession { _ in
            let tag = Tag()
            expect(text(tag.id ?? 0), "0", "a new object has none")
            try tag.save()
            let dictionary: [String: Any] = ["id": tag.id ?? 0]
            #expect(dictionary["id"] as? Int64 == 1 || dictionary["id"] as? Int == 1)
            var filled: [String: Any] = [:]
            filled["id"] = tag.id ?? 0
            expect(text(filled), #"["id": 1]"#)
            let list: [Any] = [tag.id ?? 0, tag.id ?? -1]
            expect(text(list), "[1, 1]")
            let optional: Any? = tag.id ?? 0
            expect(texts(optional, tag.id ?? 0, tag.id), ["1", "1", "1"])
            let hashable: AnyHashable = tag.id ?? 0
            expect(text(hashable), "1")
            let closure: (Tag) -> Any = { $0.id ?? 0 }
            #expect(text(closure(tag)) == "1" && text(erased(tag)) == "1")
            #expect("\(tag.id ?? 0)" == "1" && text(tag.id as Any) == "Optional(1)")
            #expect(String(describing: tag.id ?? 0) == "1" && described(tag.id) == "Optional<Int64> Optional(1)")
            let mapped: [[String: Any]] = [tag].map { ["id": $0.id ?? 0] }
            expect(text(mapped), #"[["id": 1]]"#)
            let perhaps: Tag? = tag
            let deeper: [Any] = [perhaps?.id ?? 0]
            expect(text(deeper), "[1]")
            var printed = ""
            print(tag.id ?? 0, to: &printed)
            expect(printed, "1\n")
        }
    }
}
