// Errors can be caught by type and code with only the library imported.
import PersistentObjects

final class Person: PersistentObject {
    var lastName = ""
}

func save(_ person: Person) -> String {
    do {
        try person.save()
        return "saved"
    } catch let error as StoreError where error.code == .diskFull {
        return error.message
    } catch let error as StoreError {
        return "\(error.code) \(error.className ?? "") \(error.property ?? "") \(error.rowID ?? 0) \(error)"
    } catch let error as FinderError {
        return error.description
    } catch let error as SchemaError {
        return error.description
    } catch {
        return "\(error)"
    }
}

func quiet() throws -> Store {
    let configuration = Store.Configuration(
        lostEdits: .report { edits in print(edits.className, edits.id, edits.changes) },
        onNote: { note in print(note) })
    return try Store.inMemory(configuration: configuration)
}
