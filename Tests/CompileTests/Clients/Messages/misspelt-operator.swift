// expect: extraneous argument label 'lik:' in call
// An operator that does not exist.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.lastName(lik: "S%") }
