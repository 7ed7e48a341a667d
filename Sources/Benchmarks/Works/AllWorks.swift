/// The rows of all tables; the first is that of section 10 of the design, in its order.
///
/// Memory comes last in it: starting a child process starts a thread in this one, after which every lock costs more.
/// The same applies to sessions, after all others.
func allWorks() -> [any Work] {
    objectWorks() + referenceWorks() + readingWorks() + liveWorks() + shapeWorks() + historyWorks() + growthWorks()
        + sessionWorks()
}

private func objectWorks() -> [any Work] {
    [
        InsertTogether(), InsertOneByOne(),
        FetchFresh(), FetchAgain(),
        FindInFile(), FindInMap(),
        FindByText(.dynamic), FindByText(.typed), FindByText(.query), FindByText(.criteria),
        ChangeAndSave(), DeleteEach(),
        LoadTeams(.array), LoadTeams(.lazy), LoadTeams(.inverse),
        SaveTeams(.array), SaveTeams(.inverse),
        SaveLists(), LoadLists(),
        SaveUnchanged(), ScanUnchanged(),
        MemoryHeld(),
    ]
}
