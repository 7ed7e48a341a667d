import Foundation
import PersistentObjects

/// The class `Profile`, of which each version of the program has its own.
protocol Profile: PersistentObject {
    static func numbered(_ number: Int) throws -> Self?
    static func profiles() throws -> [Self]
    func fill(_ number: Int, _ profile: BankState.ProfileState, account: Account?) throws
    /// The content, in the form of the model.
    var content: (number: Int, profile: BankState.ProfileState) { get }
}

/// The first version of the program.
enum V1 {
    final class Profile: PersistentObject, endurance.Profile {
        @Unique var number = 0
        var label = ""
        var points = "0"
        var tag = ""
        var account: Account?
        var gadget: Gadget?
    }

    final class Gadget: PersistentObject {
        var name = ""
    }
}

/// The second version of the program: a renamed property, a property of another type, a list in place of a value, a
/// new column with a different value in each row, and a class that is now a subclass.
enum V2 {
    final class Profile: PersistentObject, endurance.Profile {
        @Unique var number = 0
        @Column("title", renamedFrom: "label") var title = ""
        var points = 0.0
        var tag: [String] = []
        @Indexed var account: Account?
        var gadget: Gadget?
        @Unique var token = UUID()
    }

    class Device: PersistentObject {
        var name = ""
    }

    final class Gadget: Device {
        var power: Int?
    }
}

extension V1.Profile {
    static func numbered(_ number: Int) throws -> V1.Profile? { try V1.Profile.findFirstBy.number(number) }
    static func profiles() throws -> [V1.Profile] { try V1.Profile.all() }

    func fill(_ number: Int, _ profile: BankState.ProfileState, account: Account?) throws {
        (self.number, label, points, tag) = (number, profile.label, "\(profile.points)", profile.tag)
        self.account = account
        let gadget = gadget ?? V1.Gadget()
        gadget.name = profile.gadget
        self.gadget = gadget
    }

    var content: (number: Int, profile: BankState.ProfileState) {
        (
            number,
            BankState.ProfileState(
                account: account?.number, label: label, points: Int(points) ?? -1, tag: tag,
                gadget: gadget?.name ?? "none")
        )
    }
}

extension V2.Profile {
    static func numbered(_ number: Int) throws -> V2.Profile? { try V2.Profile.findFirstBy.number(number) }
    static func profiles() throws -> [V2.Profile] { try V2.Profile.all() }

    func fill(_ number: Int, _ profile: BankState.ProfileState, account: Account?) throws {
        (self.number, title, points, tag) = (number, profile.label, Double(profile.points), [profile.tag])
        self.account = account
        let gadget = gadget ?? V2.Gadget()
        gadget.name = profile.gadget
        self.gadget = gadget
    }

    var content: (number: Int, profile: BankState.ProfileState) {
        (
            number,
            BankState.ProfileState(
                account: account?.number, label: title, points: Int(exactly: points) ?? -1,
                tag: tag.joined(separator: "+"), gadget: gadget?.name ?? "none")
        )
    }
}
