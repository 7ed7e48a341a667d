// expect: add the product PersistentTransfer to the target
// JSON of objects is in a product of its own, which has to be imported.
import Foundation
import PersistentObjects

func mistake(_ person: Person) throws -> Data { try person.json }
