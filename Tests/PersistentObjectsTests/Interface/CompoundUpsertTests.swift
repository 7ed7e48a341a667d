import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Upserts by several properties that are unique together, and insertions of missing objects.
@Suite struct CompoundUpsertTests {
    final class Student: PersistentObject {
        override class var tableName: String { "upsert_student" }
        @Unique var name: String?
    }
    class Grade: PersistentObject {
        override class var tableName: String { "upsert_grade" }
        override class var indexes: [Index] {
            [Index(\Grade.student, \Grade.course, unique: true), Index(\Grade.mark, \Grade.note)]
        }
        @Lazy var student: Student?
        var course: String?
        var mark = 0
        var note = ""
    }
    final class Exam: Grade { var room = "" }

    private func grade(_ student: Student?, _ course: String?, _ mark: Int) -> Grade {
        let grade = Grade()
        (grade.student, grade.course, grade.mark) = (student, course, mark)
        return grade
    }

    private func student(_ name: String?) -> Student {
        let student = Student()
        student.name = name
        return student
    }

    @Test func `an upsert updates the row with all the key values`() throws {
        try withTemporarySession { session, _ in
            let ann = student("Ann")
            try ann.save()
            let first = grade(ann, "Maths", 1)
            #expect(try session.upsert(first, on: \.student, \.course) === first)
            let second = grade(ann, "Maths", 2)
            #expect(try session.upsert(second, on: \.course, \.student) === first)
            #expect(first.mark == 2 && !first.hasChanges && second.isNew)
            let third = grade(ann, "Physics", 3)
            #expect(try session.upsert(third, on: \.student, \.course) === third)
            try expect(Grade.query.order(by: \.mark).values(of: \.mark), [2, 3])
        }
    }

    @Test func `a nil key value and a new referenced object match no row`() throws {
        try withTemporarySession { session, _ in
            let (ann, bob) = (student("Ann"), student("Bob"))
            try ann.save()
            for _ in 0..<2 {
                try session.upsert(grade(nil, "Maths", 1), on: \.student, \.course)
                try session.upsert(grade(ann, nil, 1), on: \.student, \.course)
            }
            try session.upsert(grade(bob, "Maths", 1), on: \.student, \.course)
            #expect(try Grade.count() == 5 && !bob.isNew)
        }
    }

    @Test func `an upsert finds a row of a subclass by properties of the base class`() throws {
        try withTemporarySession { session, _ in
            let ann = student("Ann")
            try ann.save()
            let exam = Exam()
            (exam.student, exam.course, exam.room) = (ann, "Maths", "A 1")
            try exam.save()
            let id = try #require(exam.id)
            try session.store.withSession { other in
                let ann = try #require(try Student.findByName("Ann").first)
                let saved = try other.upsert(grade(ann, "Maths", 5), on: \.student, \.course)
                #expect(saved.id == id && (saved as? Exam)?.room == "A 1" && saved.mark == 5)
            }
        }
    }

    @Test func `properties that are not unique together are refused, and nothing is inserted`() throws {
        try withTemporarySession { session, _ in
            let ann = student("Ann")
            try ann.save()
            let refused: [[PartialKeyPath<Grade>]] = [[\.course, \.mark], [\.mark, \.note], [\.course, \.course]]
            for paths in refused {
                let error = #expect(throws: StoreError.self) {
                    if paths[1] == \Grade.note {
                        try session.upsert(grade(ann, "Maths", 1), on: \.mark, \.note)
                    } else if paths[1] == \Grade.mark {
                        try session.insertMissing([grade(ann, "Maths", 1)], on: \.course, \.mark)
                    } else {
                        try session.upsert(grade(ann, "Maths", 1), on: \.course, \.course)
                    }
                }
                #expect(error?.code == .misuse && error?.className == "Grade")
                #expect("\(String(describing: error))".contains("unique"), "\(String(describing: error))")
            }
            #expect(throws: StoreError.self) {
                try session.upsert(grade(ann, "Maths", 1), on: \.student)
            }
            #expect(try Grade.count() == 0)
        }
    }

    @Test func `upserts and insertions of many objects equal those of a dictionary`() throws {
        var random = SeededGenerator(seed: 7)
        try withTemporarySession { session, _ in
            let students = (0..<20).map { student("\($0)") }
            try session.save(students)
            var model: [String: Int] = [:]
            func name(_ grade: Grade) -> String { "\(grade.student?.name ?? "") \(grade.course ?? "")" }
            for round in 0..<6 {
                let grades = (0..<150).map { _ in
                    grade(
                        students.randomElement(using: &random), "\(Int.random(in: 0..<15, using: &random))",
                        Int.random(in: 0..<1000, using: &random))
                }
                let answers: [Grade]
                if round.isMultiple(of: 2) {
                    for grade in grades { model[name(grade)] = grade.mark }
                    answers = try session.upsert(grades, on: \.student, \.course)
                } else {
                    for grade in grades where model[name(grade)] == nil { model[name(grade)] = grade.mark }
                    answers = try session.insertMissing(grades, on: \.student, \.course)
                }
                expect(answers.count, grades.count)
                for (grade, answer) in zip(grades, answers) {
                    #expect(name(answer) == name(grade) && answer.mark == model[name(grade)] && !answer.isNew)
                }
                let rows = try Grade.query.including(\.student).all()
                expect(Dictionary(uniqueKeysWithValues: rows.map { (name($0), $0.mark) }), model)
            }
        }
    }

    @Test func `insertMissing inserts missing objects and returns existing ones with their edits`() throws {
        try withTemporarySession { session, _ in
            let ann = student("Ann")
            try ann.save()
            let id = ann.id
            ann.name = "Anna"
            let many = [student("Ann"), student("Bob"), student("Bob"), student(nil), student(nil), ann]
            let answers = try session.insertMissing(many, on: \.name)
            #expect(answers[0] === ann && answers[1] === many[1] && answers[2] === many[1] && answers[5] === ann)
            #expect(many[0].isNew && many[2].isNew && !many[3].isNew && !many[4].isNew)
            #expect(ann.hasChanges && ann.id == id)
            expect(Set(try Student.query.values(of: \.name)), ["Ann", "Bob", nil])
            try expect(Student.count(), 4)
            #expect(try session.insertMissing([Student](), on: \.name).isEmpty)
        }
    }

    struct Seat: Codable {
        var row = 0
        var number = 0
    }
    final class Ticket: PersistentObject {
        override class var tableName: String { "upsert_ticket" }
        override class var indexes: [Index] { [Index(\Ticket.seat.row, \Ticket.seat.number, unique: true)] }
        @Embedded var seat = Seat()
        var holder = ""
    }

    @Test func `fields of an embedded value can be the key of an upsert`() throws {
        try withTemporarySession { session, _ in
            func ticket(_ row: Int, _ number: Int, _ holder: String) -> Ticket {
                let ticket = Ticket()
                (ticket.seat, ticket.holder) = (Seat(row: row, number: number), holder)
                return ticket
            }
            let first = try session.upsert(ticket(1, 2, "Ann"), on: \.seat.row, \.seat.number)
            let second = try session.upsert(ticket(1, 2, "Bob"), on: \.seat.number, \.seat.row)
            #expect(first === second && first.holder == "Bob")
            try session.insertMissing([ticket(1, 2, "Cem"), ticket(1, 3, "Dan")], on: \.seat.row, \.seat.number)
            try expect(Ticket.query.order(by: \.holder).values(of: \.holder), ["Bob", "Dan"])
        }
    }

    @Test func `concurrent insertions of the same objects insert each once`() async throws {
        let file = try TemporaryStore()
        // The tasks wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(durability: .relaxed, busyTimeout: .seconds(600)))
        try store.prepare(Student.self)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    do {
                        for start in 0..<10 {
                            try await store.perform { session in
                                let students = (start * 5..<start * 5 + 20).map { student("\($0)") }
                                try session.insertMissing(students, on: \.name)
                                let last = try session.upsert(student("\(start * 5)"), on: \.name)
                                #expect(!last.isNew)
                                try expect(session.upsert([student("0")], on: \.name).count, 1)
                            }
                        }
                    } catch { Issue.record(error) }
                }
            }
        }
        let names = try store.withSession { _ in try Student.query.values(of: \.name) }
        #expect(names.count == 65 && Set(names).count == 65)
        store.close()
    }

    @Test func `a row that another session just inserted is found`() throws {
        try withTemporarySession { session, _ in
            #expect(try Student.findByName("Ann").isEmpty)
            try session.store.withSession { _ in try student("Ann").save() }
            let saved = try session.insertMissing([student("Ann")], on: \.name)
            let found = try Student.findByName("Ann")
            #expect(found == saved && found.count == 1)
        }
    }
}
