// expect: sending 'person' risks causing data races
// An object of the main actor cannot be an argument to another actor's method.
import PersistentObjects

actor Keeper {
    var kept: Person?
    func keep(_ person: Person) { kept = person }
}

@MainActor func leak(_ keeper: Keeper) async throws {
    guard let person = try Person.find(1) else { return }
    await keeper.keep(person)
}
