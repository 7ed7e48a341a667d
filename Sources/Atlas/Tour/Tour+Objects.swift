import PersistentObjects

/// The half of the tour about objects rather than queries.
extension Tour {
    func meetTheSameObject() throws {
        try table.title("Identity map: one row, one instance")
        guard let paris = try City.findFirstByName("Paris"), let id = paris.id else { return try missesParis() }
        try table.row(#"if let paris = try City.findFirstByName("Paris") { … }"#, Answers.city) {
            try City.findFirstByName("Paris")
        }
        try table.row("try paris === City.find(\(id))", Answers.yesOrNo) { try paris === City.find(id) }
        try table.row(#"try City.findBy.country.iso("FR").contains { $0 === paris }"#, Answers.yesOrNo) {
            try City.findBy.country.iso("FR").contains { $0 === paris }
        }
        var all: [City] = []
        try table.row("var all = try City.all()", Answers.cities) {
            all = try City.all()
            return all
        }
        var again: [City] = []
        try table.row("var again = try City.all()", Answers.cities) {
            again = try City.all()
            return again
        }
        try table.row("all.elementsEqual(again, by: ===)", Answers.yesOrNo) { all.elementsEqual(again, by: ===) }
        try table.note("print(paris)")
        try table.note(paris.description)
    }

    func changeAndRevert() throws {
        try table.title("Changes: save writes the changed columns, revert discards changes")
        guard let paris = try City.findFirstByName("Paris") else { return try missesParis() }
        let population = paris.population
        try table.row("paris.population += 1", did: "in memory only") { paris.population += 1 }
        try table.row("paris.hasChanges", Answers.yesOrNo) { paris.hasChanges }
        try table.row("paris.changes", Answers.changes) { paris.changes }
        let written = paris.changes.map(\.name).joined(separator: ", ")
        try table.row("try paris.save()", did: "wrote \(written) and no other column") { try paris.save() }
        try table.row("try paris.save()", did: "nothing changed, no SQL") { try paris.save() }
        try table.row("try City.findFirstBy.population(paris.population)", Answers.city) {
            try City.findFirstBy.population(paris.population)
        }
        try table.row(#"paris.name = "Lutetia"; paris.region = nil"#, did: "in memory only") {
            paris.name = "Lutetia"
            paris.region = nil
        }
        try table.row("paris.changes", Answers.changes) { paris.changes }
        try table.row("paris.revert()", did: "back to the last save, no SQL") { paris.revert() }
        try table.row("paris.name", Answers.text) { paris.name }
        try table.row("paris.population -= 1; try paris.save()", did: "the store is as it was") {
            paris.population = population
            try paris.save()
        }
    }

    func createAndDelete() throws {
        // A killed run may have left the city. It is identified by a number that no city of the data has, because a
        // real city may have its name.
        let invented = -1
        let _: Int = try City.deleteByGeonameID(invented)
        try table.title("Inserting and deleting a city")
        let lilliput = City()
        lilliput.name = "Lilliput"
        lilliput.geonameID = invented
        try table.row("try lilliput.save()", did: "a new row") { try lilliput.save() }
        try table.row(#"try City.existsByName("Lilliput")"#, Answers.yesOrNo) { try City.existsByName("Lilliput") }
        try table.row("try lilliput.delete()", did: "the row is gone") { try lilliput.delete() }
        try table.row("try City.count()", Answers.number) { try City.count() }
    }

    func misspell() throws {
        try table.title("A misspelled finder throws an error with a suggestion")
        do {
            try table.row(#"try City.findByNmae("Paris")"#, Answers.cities) { try City.findByNmae("Paris") }
        } catch {
            try table.note(#"try City.findByNmae("Paris")"#)
            for line in String(describing: error).split(whereSeparator: \.isNewline) {
                try table.note("  \(line)")
            }
        }
    }

    func missesParis() throws {
        try table.note("There is no Paris in this data, so this part is left out.")
    }
}
