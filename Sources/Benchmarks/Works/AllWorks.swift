/// The rows of the table, in the order of section 10 of the design.
///
/// Memory comes last: starting a child process starts a thread in this one,
/// after which every lock costs more.
func allWorks() -> [any Work] {
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
