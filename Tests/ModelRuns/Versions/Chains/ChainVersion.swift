import Foundation
import PersistentObjects

/// A version of a program, with classes for random types, options and layouts.
struct ChainVersion {
    /// The names of columns. Each stage can only follow an earlier stage.
    enum Names: Int, CaseIterable { case plain, exchanged, renamed }

    let names: Names
    let root: any Chained.Type
    let item: any Chained.Type
    let owner: any ChainedOwner.Type
    /// Whether `item` is a subclass of `root`.
    let isBelow: Bool
    let text: String

    var classes: [PersistentObject.Type] { [root, item, owner] }

    private static let typeCount = 25
    private static func type(_ number: Int) -> any ShapeValue.Type {
        let types: [any ShapeValue.Type] = [
            Int.self, Int?.self, Double.self, Double?.self, String.self, String?.self, Decimal.self, Bool.self,
            Date?.self,
            UUID?.self, Data.self, Int8.self, WordCase.self, [Int].self, [Int]?.self, [String].self, Set<String>.self,
            Set<Int>.self, [String: Int].self, [Int: String].self, [Double?].self, Compound.self, Compound?.self,
            [String]?.self, [Compound].self,
        ]
        return types[number]
    }

    /// The choices of a version. About half of its types stay in the next version.
    struct Draft {
        var types: [Int]
        var names = Names.plain
        var options = 0
        var layout = 0
        var hierarchy = 0

        init(_ random: inout ModelRandom) { types = (0..<5).map { _ in random.below(ChainVersion.typeCount) } }

        mutating func change(_ random: inout ModelRandom) {
            for place in types.indices where random.isOne(in: 4) {
                types[place] = random.below(ChainVersion.typeCount)
            }
            if random.isOne(in: 3) { options = random.below(6) }
            if random.isOne(in: 2) { layout = random.below(5) }
            if random.isOne(in: 2) { hierarchy = random.below(3) }
            if random.isOne(in: 4), names != .renamed {
                names = names == .plain && random.isOne(in: 2) ? .exchanged : .renamed
            }
        }
    }

    init(_ draft: Draft) {
        let types = draft.types.map { ChainVersion.type($0) }
        let options: [any ChainOptions.Type] = [Bare.self, Bare.self, Bare.self, Historic.self, Keyed.self, Bare.self]
        let own = options[draft.options]
        // The hierarchy has different options, because equal options could hide an effect of one class on the other.
        let others = options[(draft.options + 2) % 6]
        let classes = hierarchy(types[0], types[1], types[2], others, draft)
        names = draft.names
        (root, item, isBelow) = classes
        owner = ownerClass(types[3], types[4], own, classes.item, draft)
        text =
            "\(draft.names) \(draft.layout) \(draft.hierarchy) \(types.map { "\($0)" }.joined(separator: ", ")); \(own)"
    }
}

private typealias Hierarchy = (root: any Chained.Type, item: any Chained.Type, isBelow: Bool)

private func hierarchy<A: ShapeValue, B: ShapeValue, C: ShapeValue, O: ChainOptions>(
    _ a: A.Type, _ b: B.Type, _ c: C.Type, _ options: O.Type, _ draft: ChainVersion.Draft
) -> Hierarchy {
    switch (draft.names, draft.hierarchy) {
    case (.renamed, _): (BelowRenamed<A, B, C, O>.Root.self, BelowRenamed<A, B, C, O>.Thing.self, true)
    case (.exchanged, _): (BelowExchanged<A, B, C, O>.Root.self, BelowExchanged<A, B, C, O>.Item.self, true)
    case (.plain, 1): (Apart<A, B, C, O>.Root.self, Apart<A, B, C, O>.Item.self, false)
    case (.plain, 2): (Above<A, B, C, O>.Root.self, Above<A, B, C, O>.Item.self, true)
    case (.plain, _): (Together<A, B, C, O>.Root.self, Together<A, B, C, O>.Item.self, true)
    }
}

private func ownerClass<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained>(
    _ a: A.Type, _ b: B.Type, _ options: O.Type, _ item: T.Type, _ draft: ChainVersion.Draft
) -> any ChainedOwner.Type {
    switch (draft.names, draft.layout) {
    case (.renamed, _): OwnRenamed<A, B, O, T>.Owner.self
    case (.exchanged, _): OwnExchanged<A, B, O, T>.Own.self
    case (.plain, 1): OwnShort<A, B, O, T>.Own.self
    case (.plain, 2): OwnSearched<A, B, O, T>.Own.self
    case (.plain, 3): OwnFormed<A, B, O, T>.Own.self
    case (.plain, 4): OwnMany<A, B, O, T>.Own.self
    case (.plain, _): OwnPlain<A, B, O, T>.Own.self
    }
}
