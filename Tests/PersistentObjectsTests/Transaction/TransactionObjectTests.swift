import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A failed transaction restores the other state of an object, whatever wrote it.
struct TransactionObjectTests {
    @Test func `a rollback reverts generated keys`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (old, new, own) = (Shop.Token(), Shop.Token(), Shop.Token())
            try own.setKey("5f0c2a0e-6f0e-4c8e-9a55-2f6f7c3a1d10")
            try old.save()
            let key = old.key
            try check.isTakenBack([old, new, own]) {
                try session.save([new, own])
                #expect(new.key != nil)
                old.text = "x"
                try session.save([old, new])
            }
            #expect(new.key == nil && new.isNew && old.key == key && own.key != nil)
            try session.save([new, own])
            #expect(try Shop.Token.find(#require(new.key)) === new)
        }
    }

    @Test func `a rollback restores values that contain instances, and timestamps`() throws {
        try TransactionCheck.withShop { session, check throws in
            let order: Shop.Order = Shop.order("o")
            let (ann, new) = (Shop.customer("Ann"), Shop.customer("New"))
            try session.save([order, ann])
            let (created, updated) = (ann.createdAt, ann.updatedAt)
            try check.isTakenBack([order, ann, new]) {
                order.details.counter.count += 1
                try order.save()
                order.details.counter.count += 1
                order.details.note = "n"
                ann.name = "Anna"
                try session.save([ann, new])
                #expect(new.createdAt != nil && new.updatedAt != nil)
            }
            #expect(order.details.counter.count == 0)
            #expect(ann.createdAt == created && ann.updatedAt == updated && new.createdAt == nil)
        }
    }

    @Test func `a rollback reverts soft deletions and restorations`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (memo, part, other) = (Shop.Memo(), Shop.Memo(), Shop.Memo())
            memo.parts = [part]
            try session.save([memo, other])
            try other.delete()
            part.text = "edited"
            let all = [memo, part, other]
            try check.isTakenBack(all) {
                memo.text = "x"
                try memo.save()
                try memo.delete()
                #expect(memo.deletedAt != nil && part.deletedAt != nil)
            }
            #expect(memo.deletedAt == nil && part.deletedAt == nil && part.text == "edited")
            try check.isTakenBack(all) {
                try other.restore()
                #expect(other.deletedAt == nil)
                try other.deleteForever()
                memo.parts = []
                try memo.save()
                #expect(part.deletedAt != nil)
            }
            #expect(other.deletedAt != nil)
            try expect(Set(Shop.Memo.all()), [memo, part])
            let run = try statements(of: session) {
                try session.transaction { () throws in
                    try memo.delete()
                    session.rollBack()
                }
            }
            expect(run.last, "ROLLBACK", "\(run)")
        }
    }

    @Test func `a rollback reverts query updates and findOrCreate`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (ann, bob) = (Shop.customer("Ann"), Shop.customer("Bob"))
            let order: Shop.Order = Shop.order("o")
            order.customer = ann
            order.payer = ann
            try session.save([ann, bob, order])
            bob.name = "Robert"
            expect(ann.orders, [order])
            try check.isTakenBack([ann, bob, order]) {
                try Shop.Customer.where { $0.name == "Ann" }.update { $0.number = 3 }
                try Shop.Customer.where { $0.name == "Bob" }.update { $0.name = "Robert" }
                #expect(ann.number == 3 && bob.name == "Robert" && !bob.hasChanges)
                try Shop.Order.where { $0.title == "o" }.update {
                    $0.customer = bob
                    $0.title = "p"
                }
                #expect(order.customer === bob && bob.orders == [order] && ann.orders.isEmpty)
                let new = try Shop.Customer.findOrCreateBy.number(12)
                expect(new.id, 3)
                #expect(try Shop.Customer.findOrCreateBy.number(3) === ann)
            }
            #expect(try Shop.Customer.findByNumber(12).isEmpty && Shop.Customer.findByNumber(3).isEmpty)
        }
    }

    @Test func `undo ignores changes that were rolled back`() throws {
        try TransactionCheck.withShop { session, check throws in
            session.recordsUndo = true
            let order: Shop.Order = Shop.order("o")
            order.lines = [Shop.line("a")]
            try order.save()
            order.title = "p"
            try order.save()
            let line = order.lines[0]
            try check.isTakenBack([order, line]) {
                order.title = "q"
                order.lines = []
                try order.save()
                try order.delete()
            }
            try session.undo()
            #expect(order.title == "o" && order.lines == [line])
            try session.redo()
            #expect(order.title == "p" && order.lines == [line])
        }
    }

    @Test func `classes first used in a rolled back nested transaction can be used afterwards`() throws {
        final class First: PersistentObject {
            override class var tableName: String { "first_inside" }
            var second: Second?
        }
        final class Second: PersistentObject {
            override class var tableName: String { "second_inside" }
            var text = ""
        }
        try withTemporarySession { session, file throws in
            let first = First()
            try session.transaction { () throws in
                failing(TransactionCheck.Failure.self) {
                    try session.transaction { () throws in
                        first.second = Second()
                        try session.transaction { () throws in try first.save() }
                        throw TransactionCheck.Failure()
                    }
                }
                #expect(first.isNew && first.second?.isNew == true)
                try first.save()
            }
            try expect(file.sqlite("SELECT second_id FROM first_inside"), "1")
            try session.store.withSession { _ throws in try expect(Second.count(), 1) }
        }
    }
}
