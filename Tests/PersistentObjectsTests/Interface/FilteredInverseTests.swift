import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Inverses that contain only the objects that meet a condition.
@Suite struct FilteredInverseTests {
    final class Person: PersistentObject {
        override class var tableName: String { "filtered_person" }
        var name = ""
        var isAway = false
        @Inverse(\Task.helpers, where: { !$0.isDone }, order: .by(\.title)) var openHelp: [Task]
        @Inverse(\Task.watchers, where: { $0.isDone }) var doneWatched: Set<Task>
    }

    final class Project: PersistentObject {
        override class var tableName: String { "filtered_project" }
        var name = ""
        @Inverse(\Task.project) var tasks: [Task]
        @Inverse(\Task.project, where: { !$0.isDone }, order: .by(\.title, .descending)) var open: [Task]
        @Inverse(\Task.project, where: { $0.rank != nil && $0.rank > 5 || $0.title == "it's \"big\"\n" })
        var great: Set<Task>
        @Inverse(\Task.project, where: { $0.title.hasPrefix("first") }) var first: Task?
        @Inverse(\Task.project, where: { $0.owner.isAway == true }) var waiting: [Task]
        @Inverse(\Task.project, where: { $0.tags.contains("urgent") }) var urgent: [Task]
        @Inverse(\Task.project, where: { $0.helpers.any { $0.isAway } }) var helpless: [Task]
    }

    class Task: PersistentObject {
        override class var tableName: String { "filtered_task" }
        var title = ""
        var note = ""
        var isDone = false
        var rank: Int?
        var tags: [String] = []
        var owner: Person?
        var project: Project?
        var helpers: [Person] = []
        var watchers: Set<Person> = []

        convenience init(_ title: String, _ project: Project? = nil, isDone: Bool = false) {
            self.init()
            (self.title, self.project, self.isDone) = (title, project, isDone)
        }
    }
    final class Bug: Task { var severity = 0 }

    /// Saves a project with four tasks and a task without a project.
    private func project(_ session: Session) throws -> (Project, [Task]) {
        try session.store.prepare(Bug.self)
        let project = Project()
        let tasks = [
            Task("a", project), Bug("b", project), Task("c", project, isDone: true), Task("d"), Bug("first", project),
        ]
        try session.save(tasks + [project])
        return (project, tasks)
    }

    @Test func `an inverse contains the objects that meet its condition, in its order`() throws {
        try withTemporarySession { session, _ in
            let (project, tasks) = try project(session)
            expect(project.open, [tasks[4], tasks[1], tasks[0]])
            #expect(project.first === tasks[4] && project.great.isEmpty && project.waiting.isEmpty)
            tasks[2].title = "it's \"big\"\n"
            (tasks[0].rank, tasks[1].rank) = (6, 5)
            try session.saveChanges()
            #expect(project.great == [tasks[0], tasks[2]] && project.tasks.count == 4)
            try session.store.withSession { _ in
                let found = try #require(try Project.query.including(\.open).including(\.first).all().first)
                #expect(found.$open.isLoaded && found.open.map(\.title) == ["first", "b", "a"] && found.open[1] is Bug)
                expect(found.first?.title, "first")
            }
        }
    }

    @Test func `queries apply the condition of the inverse`() throws {
        try withTemporarySession { session, _ in
            let (project, tasks) = try project(session)
            let none = Project()
            try none.save()
            (tasks[0].rank, tasks[2].rank) = (10, 100)
            try session.saveChanges()
            try expect(Project.where { $0.open.count == 3 }.all(), [project])
            try expect(Project.where { $0.open.isEmpty }.all(), [none])
            try expect(Project.where { $0.open.contains(tasks[0]) }.all(), [project])
            try expect(Project.where { $0.open.contains(tasks[2]) }.all(), [])
            try expect(Project.where { $0.open.any { $0.title == "c" || $0.title == "d" } }.count(), 0)
            try expect(Project.where { $0.open.any { $0.title == "c" || $0.title == "b" } }.all(), [project])
            try expect(Project.where { $0.open.all { $0.title != "c" } }.count(), 2)
            try expect(Project.where { $0.open.sum { $0.rank } == 10 }.all(), [project])
            try expect(Project.where { $0.first.title == "first" }.all(), [project])
            try expect(Project.where { !$0.waiting.isEmpty }.count(), 0)
            try expect(Project.query.order { $0.open.count }.all(), [none, project])
            let ann = Person()
            ann.isAway = true
            tasks[1].owner = ann
            tasks[0].helpers = [ann]
            try session.saveChanges()
            try expect(
                Project.where { $0.waiting.contains(tasks[1]) && $0.helpless.contains(tasks[0]) }.all(), [project])
            try expect(Project.where { $0.waiting.any { $0.owner.isAway == true } }.all(), [project])
            try expect(Person.where { $0.openHelp.count == 1 && $0.doneWatched.isEmpty }.all(), [ann])
        }
    }

    @Test func `the inverse follows each change of this session`() throws {
        try withTemporarySession { session, _ in
            let (project, tasks) = try project(session)
            let ann = Person()
            try ann.save()
            expect(project.open.count, 3)
            tasks[0].isDone = true
            expect(project.open.count, 3, "an edit is no row yet")
            try tasks[0].save()
            expect(project.open, [tasks[4], tasks[1]])
            tasks[1].project = nil
            try tasks[1].save()
            expect(project.open, [tasks[4]])
            try Task("z", project).save()
            expect(project.open.map(\.title), ["z", "first"])
            try tasks[4].delete()
            #expect(project.open.map(\.title) == ["z"] && project.first == nil)
            try Task.query.update { $0.isDone = false }
            expect(project.open.map(\.title), ["z", "c", "a"])
            try Task.where { $0.title == "z" }.delete()
            expect(project.open.map(\.title), ["c", "a"])
            // Values of other rows, and elements of collections.
            #expect(project.waiting.isEmpty && project.urgent.isEmpty && project.helpless.isEmpty)
            (tasks[0].owner, tasks[0].tags, tasks[2].helpers) = (ann, ["urgent"], [ann])
            try session.saveChanges()
            #expect(project.waiting.isEmpty && project.urgent == [tasks[0]] && project.helpless.isEmpty)
            #expect(ann.openHelp == [tasks[2]] && ann.doneWatched.isEmpty)
            ann.isAway = true
            try ann.save()
            #expect(project.waiting == [tasks[0]] && project.helpless == [tasks[2]])
            tasks[2].watchers = [ann]
            tasks[2].isDone = true
            try tasks[2].save()
            #expect(ann.openHelp.isEmpty && ann.doneWatched == [tasks[2]])
            try ann.delete()
            #expect(project.waiting.isEmpty && project.helpless.isEmpty)
            try Task.deleteAll()
            #expect(project.open.isEmpty && project.urgent.isEmpty)
        }
    }

    @Test func `the inverse follows rollbacks, undo and other programs`() throws {
        try withTemporarySession { session, file in
            let (project, tasks) = try project(session)
            expect(project.open.count, 3)
            try session.transaction {
                tasks[0].isDone = true
                try tasks[0].save()
                expect(project.open.count, 2)
                session.rollBack()
            }
            #expect(project.open.count == 3 && !tasks[0].isDone)
            if !TestEngine.isPostgres {
                session.recordsUndo = true
                tasks[0].isDone = true
                try tasks[0].save()
                expect(project.open.count, 2)
                try session.undo()
                expect(project.open.count, 3)
                try session.redo()
                expect(project.open.count, 2)
                try session.undo()
            }
            _ = try file.sqlite("UPDATE filtered_task SET is_done = 1 - is_done")
            _ = try Project.query.refreshing().all()
            expect(project.open, [tasks[2]])
        }
    }

    @Test func `editing the inverse sets the other side`() throws {
        try withTemporarySession { session, _ in
            let (project, tasks) = try project(session)
            project.open.append(tasks[3])
            project.open.removeAll { $0 === tasks[0] }
            #expect(project.hasChanges)
            try project.save()
            #expect(tasks[3].project === project && tasks[0].project == nil && !project.hasChanges)
            expect(project.open, [tasks[4], tasks[3], tasks[1]])
            // An object that does not meet the condition gets the owner, but does not appear in the inverse.
            let done = Task("done", isDone: true)
            project.open.append(done)
            try project.save()
            #expect(done.project === project && !project.open.contains(done) && project.tasks.contains(done))
            // An unread inverse that is set replaces only the objects that meet the condition.
            try session.store.withSession { _ in
                let found = try #require(try Project.find(project.id ?? 0))
                found.open = [Task("only")]
                try found.save()
                expect(found.open.map(\.title), ["only"])
                expect(Set(found.tasks.map(\.title)), ["c", "done", "only"])
            }
            let new = Project()
            new.open = [Task("x"), Task("y", isDone: true)]
            try new.save()
            #expect(new.open.map(\.title) == ["x"] && new.tasks.count == 2)
        }
    }

    @Test func `edits of its objects are saved with the owner, although another save unloaded the inverse`() throws {
        try withTemporarySession { session, _ in
            let (project, _) = try project(session)
            let id = try #require(project.id)
            try session.store.withSession { session in
                let project = try #require(try Project.find(id))
                project.open[0].note = "edited"
                let other = Task("other", project)
                try other.save()
                try project.save()
                try expect(Task.where { $0.note == "edited" }.count(), 1)
                #expect(!session.hasChanges)
            }
        }
    }

    @Test func `an edit of the inverse survives other saves`() throws {
        try withTemporarySession { session, _ in
            let (project, tasks) = try project(session)
            project.open.removeAll { $0 === tasks[0] }
            try Task.where { $0.title == "b" }.update { $0.isDone = true }
            #expect(project.open == [tasks[4], tasks[1]] && tasks[1].isDone)
            try tasks[4].delete()
            expect(project.open, [tasks[1]])
            try project.save()
            #expect(project.open == [] && tasks[0].project == nil && tasks[1].project === project)
        }
    }

    @Test func `inverses of one fetch are read together, and again only after relevant changes`() throws {
        try withTemporarySession { session, _ in
            let projects = (0..<50).map { _ in Project() }
            try session.save(projects.flatMap { project in (0..<4).map { Task("\($0)", project, isDone: $0 > 1) } })
            try session.store.withSession { session in
                let all = try Project.all()
                expect(readings(session, all, of: 100), 1)
                let task = try #require(all[0].open.first)
                (task.note, task.rank) = ("n", 9)
                try task.save()
                let ann = Person()
                try ann.save()
                expect(readings(session, all, of: 100), 0)
                task.isDone = true
                try task.save()
                expect(readings(session, all, of: 99), 1)
            }
        }
    }

    /// The number of statements that look for the inverse's objects while it is read.
    private func readings(_ session: Session, _ projects: [Project], of count: Int) -> Int {
        let log = statements(of: session) { expect(projects.map(\.open.count).reduce(0, +), count) }
        return log.count { $0.contains("FROM \"filtered_task\"") }
    }

    @Test(arguments: SeededGenerator.seeds(6))
    func `the inverse equals a model after random changes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporarySession { session, file in
            try session.store.prepare(Bug.self)
            let projects = (0..<4).map { _ in Project() }
            let people = (0..<3).map { _ in Person() }
            var tasks: [Task] = []
            try session.save(projects)
            try session.save(people)
            func check() {
                for project in projects {
                    let own = tasks.filter { $0.project === project }.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
                    expect(project.open, own.filter { !$0.isDone }.sorted { $0.title > $1.title })
                    expect(project.great, Set(own.filter { ($0.rank ?? 0) > 5 }))
                    expect(project.waiting, own.filter { $0.owner?.isAway ?? false })
                    expect(project.urgent, own.filter { $0.tags.contains("urgent") })
                    expect(project.helpless, own.filter { $0.helpers.contains(where: \.isAway) })
                }
                for person in people {
                    let help = tasks.filter { $0.helpers.contains(person) && !$0.isDone }
                    expect(person.openHelp, help.sorted { $0.title < $1.title })
                    expect(person.doneWatched, Set(tasks.filter { $0.watchers.contains(person) && $0.isDone }))
                }
            }
            func change(_ task: Task) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: task.isDone.toggle()
                case 1:
                    task.project = [nil, projects.randomElement(using: &random)].randomElement(using: &random) ?? nil
                case 2: task.rank = Int.random(in: 0..<10, using: &random)
                case 3: task.owner = people.randomElement(using: &random)
                case 4: task.tags = Bool.random(using: &random) ? ["x", "urgent"] : []
                case 5: task.helpers = people.filter { _ in Bool.random(using: &random) }
                case 6: task.watchers = Set(people.filter { _ in Bool.random(using: &random) })
                default: task.note += "n"
                }
            }
            for step in 0..<120 {
                switch Int.random(in: 0..<9, using: &random) {
                case 0, 1:
                    // Titles are distinct, so that the order is unique.
                    let task = Bool.random(using: &random) ? Task("t\(step)") : Bug("t\(step)")
                    for _ in 0..<4 { change(task) }
                    try task.save()
                    tasks.append(task)
                case 2, 3:
                    for _ in 0..<3 { tasks.randomElement(using: &random).map(change) }
                    try session.saveChanges()
                case 4:
                    people.randomElement(using: &random)?.isAway.toggle()
                    try session.saveChanges()
                case 5:
                    guard tasks.count > 5, let index = tasks.indices.randomElement(using: &random) else { continue }
                    try tasks.remove(at: index).delete()
                case 6:
                    let flag = Bool.random(using: &random)
                    try Task.where { $0.rank > 4 }.update { $0.isDone = flag }
                case 7:
                    // Edits the owner's side. An appended object is the last one until the inverse is read again.
                    guard let project = projects.randomElement(using: &random),
                        let task = tasks.filter({ !$0.isDone }).randomElement(using: &random)
                    else { continue }
                    if let index = project.open.firstIndex(of: task) {
                        project.open.remove(at: index)
                    } else {
                        project.open.append(task)
                        // Avoids a conflict with another owner.
                        task.project = project
                    }
                    try project.save()
                default:
                    try session.transaction {
                        for _ in 0..<3 { tasks.randomElement(using: &random).map(change) }
                        try session.saveChanges()
                        check()
                        if Bool.random(using: &random) { session.rollBack() }
                    }
                }
                if Bool.random(using: &random) { check() }
            }
            check()
            try expect(file.sqlite("SELECT count(*) FROM filtered_task"), "\(tasks.count)")
        }
    }
}
