// expect: extraneous argument label 'lik:' in call
// An operator that there is not.
import PersistentObjects

func mistake() throws -> [Person] { try Person.findBy.lastName(lik: "S%") }
