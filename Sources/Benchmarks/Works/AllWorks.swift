/// The works of all tables. The first table is in section 10 of the design, in this order.
///
/// Memory is last in its table, because starting a child process starts a thread in this process, after which every
/// lock costs more. Sessions are the last table for the same reason.
func allWorks() -> [any Work] {
    objectWorks() + referenceWorks() + playlistWorks() + flightWorks() + readingWorks() + numberWorks() + writingWorks()
        + liveWorks() + watchingWorks() + inspectorWorks() + shapeWorks() + textWorks() + transferWorks()
        + firstUseWorks() + historyWorks() + syncWorks() + growthWorks() + encryptionWorks() + memoryWorks()
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
