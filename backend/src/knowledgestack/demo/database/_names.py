"""Words from which invented people and cafés are named."""

FIRST_NAMES = (
    *("Ada", "Bram", "Celia", "Dorian", "Edda", "Fergus", "Gwen", "Hollis", "Ines", "Jonas", "Keziah", "Lorcan"),
    *("Mabel", "Niall", "Odette", "Perrin", "Quentin", "Rhona", "Silas", "Tamsin", "Ulric", "Verity", "Wilmot", "Yara"),
)
LAST_NAMES = (
    *("Abbott", "Birch", "Calloway", "Dunmore", "Eddery", "Farrow", "Garland", "Hobley", "Ivory", "Jessop", "Kittow"),
    *("Larkin", "Mossman", "Nettle", "Orchard", "Pascoe", "Quill", "Redfern", "Sallow", "Tregear", "Underhill"),
    *("Varley", "Wickstead", "Yelland", "Amberley", "Bexfield", "Cotter", "Drayton", "Elsworth", "Fairlie", "Gorman"),
    *("Hartnoll", "Inskip", "Jolliffe", "Kemble", "Lowther", "Marchant", "Nankivell", "Osgood", "Penrice", "Rosevear"),
)
_CAFE_FIRST = (
    *("Copper", "Harbour", "Linden", "Morning", "Old", "Quiet", "Red", "Salt", "Seven", "Silver", "Small", "Tall"),
    *("Upper", "Velvet", "White", "Willow", "Windy", "Yellow", "Blue", "Corner", "Garden", "Green", "Iron", "Lower"),
)
_CAFE_SECOND = (
    *("Anchor", "Bell", "Bench", "Cup", "Door", "Feather", "Gate", "Kettle", "Lamp", "Lantern", "Mill", "Oven"),
    *("Pantry", "Pier", "Roast", "Spoon", "Table", "Thimble", "Tree", "Wharf", "Window", "Yard", "Crumb", "Saucer"),
)
_OFFICE_SECOND = (
    *(
        "Partners",
        "Surveyors",
        "& Daughters",
        "Insurance",
        "Architects",
        "Logistics",
        "Textiles",
        "Press",
        "Solicitors",
    ),
    *("Engineering", "Chartering", "Accounts"),
)
_HOTEL_SECOND = ("Hotel", "Arms", "House Hotel", "Lodge", "Grand Hotel", "Inn")

CAFES = tuple(f"{first} {second}" for second in _CAFE_SECOND for first in _CAFE_FIRST)
OFFICES = tuple(f"{name} {second}" for second in _OFFICE_SECOND for name in LAST_NAMES)
HOTELS = tuple(f"{name} {second}" for second in _HOTEL_SECOND for name in LAST_NAMES)
GROUPS = tuple(f"{name} Coffee Houses" for name in LAST_NAMES) + tuple(f"{name} & Co Cafés" for name in LAST_NAMES)
PLACES = (
    *(
        "Market Square",
        "Station",
        "Quay",
        "Mill Lane",
        "High Street",
        "Abbey",
        "Bridge",
        "Park",
        "Terminal",
        "Old Town",
    ),
    *("Library", "Harbour", "Castle", "Riverside", "Upper Road", "Museum"),
)
TEST_NAMES = (
    *("Café Testa", "Probe & Sons", "Testkunde Eins", "Trial & Error Coffee", "Sample House", "Café Testa Due"),
    *("Probe & Daughters", "Dummy Roasters", "Price List Test 24", "Price List Test 26", "Test Group Holding"),
    *("Café Muster", "Do Not Ship", "Blank Office"),
)
