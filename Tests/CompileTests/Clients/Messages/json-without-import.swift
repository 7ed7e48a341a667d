// expect: 'json'
// JSON of objects is in a separate product, which must be imported.
import Foundation
import PersistentObjects

func mistake(_ person: Person) throws -> Data { try person.json }
