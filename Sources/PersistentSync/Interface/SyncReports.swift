public import Foundation
public import PersistentObjects
public import StoreEngine

extension Sync {
    /// What a round did.
    public struct Report: Sendable {
        /// The number of objects that were sent.
        public let sentObjects: Int
        /// The number of batches of other devices that were applied.
        public let receivedBatches: Int
        /// The edits of this device that met edits of other devices.
        public let conflicts: [Conflict]
        /// What could not be done. It is tried again in each round.
        public let problems: [Problem]
        /// The number of objects whose unsent changes were lost when a restored file was reset.
        public let lostObjects: Int

        init(_ round: RoundReport, _ conflicts: [Conflict], _ problems: [Problem]) {
            (sentObjects, receivedBatches) = (round.sentObjects, round.receivedBatches)
            (self.conflicts, self.problems, lostObjects) = (conflicts, problems, round.lost.count)
        }
    }

    /// What a round could not do, and what to do about it.
    ///
    /// A problem stops only the changes of one device or group.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The problem, with its remedy.
        public let error: SyncError
        /// The name of the group; nil if all are concerned.
        public let group: String?
        /// The name of the device whose changes wait; nil if the problem concerns this device.
        public let device: String?
        /// The name of the file; nil if no single file is concerned.
        public let file: String?
        /// The name of the object's class; nil if no single object is concerned.
        public private(set) var className: String?
        /// The key of the object, as its description shows it; nil if no single object is concerned.
        public private(set) var key: String?

        init(_ error: SyncError, group: String?, device: String?, file: String?) {
            (self.error, self.group, self.device, self.file) = (error, group, device, file)
        }

        init(_ problem: RoundProblem, _ groups: [GroupID: String], _ replica: StoredReplica) {
            self.init(
                problem.error, group: problem.group.flatMap { groups[$0] }, device: problem.name, file: problem.file)
            (className, key) = (problem.object.map { replica.className(of: $0) }, problem.object?.key.text)
        }

        /// One line with the place, the code and the message.
        public var description: String {
            let place = [group, device, file].compactMap { $0 }.joined(separator: ", ")
            return place.isEmpty ? "\(error)" : "\(place): \(error)"
        }
    }

    /// The state of a device after a round.
    public struct State: Sendable {
        /// The number of changed objects that no other member is known to have.
        public let waiting: Int
        /// The time of the last complete round; nil before the first one.
        public let lastMeeting: Date?
        /// What the last round could not do.
        public let problems: [Problem]
        /// What the round in progress downloads, if that takes long; nil otherwise.
        public internal(set) var download: Download?
    }

    /// The progress of a long download: a quarter of a second or more.
    ///
    /// ```swift
    /// for await state in sync.states { bar.fraction = state.download?.fraction ?? 1 }
    /// ```
    public struct Download: Sendable, Hashable {
        /// How many bytes have arrived.
        public let receivedBytes: Int
        /// How many bytes the round downloads, as far as it is known.
        public let totalBytes: Int
        /// The part that has arrived, from 0 to 1.
        public var fraction: Double { totalBytes > 0 ? Double(receivedBytes) / Double(totalBytes) : 0 }
    }

    /// Two edits that were made without knowledge of each other, and what a rule decided.
    ///
    /// It is information: both devices show the same already.
    public final class Conflict: Sendable {
        /// The rule that decided.
        public enum Rule: Sendable, Hashable {
            /// The later write is shown.
            case lastWrite
            /// The deletion won against the edit.
            case deletion
            /// The edit won against the deletion, because the class declares `keepsEdited`.
            case keptEdited
            /// Another object shows the value, which must be unique, because its write is older.
            ///
            /// The object of this device shows nil, or is not shown if the property is required.
            case unique
        }

        private let conflict: SyncConflict
        private let replica: StoredReplica

        init(_ conflict: SyncConflict, _ replica: StoredReplica) {
            (self.conflict, self.replica) = (conflict, replica)
        }

        /// The name of the object's class.
        public var className: String { replica.className(of: conflict.key) }
        /// The key of the object, as its description shows it.
        public var key: String { conflict.key.key.text }
        /// The property; nil if the whole object is concerned.
        public var property: String? { conflict.property?.string }
        /// The value of this device. Nil for a deletion, and for a reference.
        public var mine: DatabaseValue? { conflict.mine?.plain }
        /// The value of the other device. Nil for a deletion, and for a reference.
        public var theirs: DatabaseValue? { conflict.theirs?.plain }
        /// The rule that decided.
        public var rule: Rule {
            switch conflict.rule {
            case .lastWrite: .lastWrite
            case .deletion: .deletion
            case .keptEdited: .keptEdited
            case .unique: .unique
            }
        }
        /// Whether the edit of this device is shown.
        public var isMineShown: Bool { conflict.isMineShown }

        /// Writes the value of this device again, so that all devices show it.
        ///
        /// It does nothing if the value is shown, for a unique value that another object has, and for conflicts of whole
        /// objects.
        public func restore() throws {
            guard rule == .lastWrite, !isMineShown, let property = conflict.property, let mine = conflict.mine
            else { return }
            _ = try replica.write(mine, to: property, of: conflict.key)
        }

        /// Gives up the value of this device, so that all devices show the value of the other device.
        ///
        /// A unique value that another object has becomes nil for good. Without this call, this object shows the value
        /// again as soon as it is free, also if you set the property to nil, which it shows already.
        ///
        /// ```swift
        /// for await conflict in sync.conflicts where conflict.rule == .unique { try conflict.giveUp() }
        /// ```
        ///
        /// It does nothing if the value was overwritten, and for conflicts of whole objects: delete the object instead.
        public func giveUp() throws {
            guard let property = conflict.property, let mine = conflict.mine, isMineShown || rule == .unique
            else { return }
            let other = rule == .unique ? .null : conflict.theirs ?? .null
            _ = try replica.giveUp(mine, for: other, in: property, of: conflict.key)
        }
    }

    /// Data that this device has and cannot show.
    public struct Waiting: Sendable, Hashable {
        /// Why it is not shown.
        public enum Reason: Sendable, Hashable {
            /// The program has no such class.
            case unknownClass
            /// The program has no such property.
            case unknownProperty
            /// The owner of the object, or the target of a required reference, is not here.
            case missingTarget
            /// A required property has no value yet.
            case incomplete
            /// Another object has the value, which must be unique.
            case notUnique
        }

        /// The name of the object's class.
        public let className: String
        /// The key of the object, as its description shows it.
        public let key: String
        /// The property; nil if the whole object is not shown.
        public let property: String?
        /// Why it is not shown.
        public let reason: Reason

        init(_ data: WaitingData, className: String) {
            self.className = className
            key = data.key.key.text
            property = data.property?.string
            reason =
                switch data.reason {
                case .unknownClass: .unknownClass
                case .unknownProperty: .unknownProperty
                case .missing: .missingTarget
                case .incomplete: .incomplete
                case .held: .notUnique
                }
        }
    }

    /// The data of a class that this device has and cannot show. It is shown as soon as that is possible.
    ///
    /// ```swift
    /// for data in try sync.waiting(for: Note.self) { print(data.key, data.reason) }
    /// ```
    public func waiting(for type: PersistentObject.Type) throws -> [Waiting] {
        try waiting().filter { $0.className == String(describing: type) }
    }

    /// All data that this device has and cannot show, also of classes that the program does not have.
    public func waiting() throws -> [Waiting] {
        try replica.waiting().map { Waiting($0, className: replica.className(of: $0.key)) }
    }
}

extension KeyValue {
    /// The key as programs see it.
    var text: String {
        switch self {
        case .text(let text): return text.string
        case .number(let high, let low):
            let digits = Array(HexName.text(UInt128(high, low)))
            return [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
                .map { String($0) }.joined(separator: "-")
        }
    }
}

extension SyncValue {
    /// The value without its type; nil for an object.
    var plain: DatabaseValue? {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text), .decimal(let text): .text(text.string)
        case .bytes(let bytes): .blob(bytes)
        case .object, .blob: nil
        }
    }
}
