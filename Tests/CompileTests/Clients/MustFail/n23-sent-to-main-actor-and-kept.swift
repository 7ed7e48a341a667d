// expect: sending 'person' risks causing data races
// compiles in: MainActor default
// A nonisolated function can send an object that it fetched to the main actor, but cannot keep it as well. (If the
// main actor is the default, the function runs on the main actor.)
import PersistentObjects

func leak() async throws {
    let person = try Person.first()
    await MainActor.run { person?.lastName = "x" }
    person?.lastName = "y"
}
