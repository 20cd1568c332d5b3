/** Made-up companies; [name, domain without its ending]. The first is the one that the customer accounts belong to. */
export const northwindCustomers: readonly (readonly [string, string])[] = [
  ['Contoso', 'contoso'],
  ['Ashdown Legal LLP', 'ashdown-legal'],
  ['Brightwater Dental Group', 'brightwater-dental'],
  ['Calder & Finch Architects', 'calderfinch'],
  ['Dunmore Logistics', 'dunmore-logistics'],
  ['Eastcote Learning Trust', 'eastcote-trust'],
  ['Foxglove Veterinary', 'foxglove-vets'],
  ['Greyfriars Housing', 'greyfriars'],
  ['Harrow Lane Bakery', 'harrowlane'],
  ['Inchmere Engineering', 'inchmere-eng'],
  ['Juniper Estates', 'juniper-estates'],
  ['Kestrel Freight', 'kestrelfreight'],
  ['Larkfield Accountants', 'larkfield'],
  ['Marlowe Theatre Supplies', 'marlowe-supplies'],
  ['Netherby Farm Foods', 'netherbyfarm'],
  ['Oakhurst Care Homes', 'oakhurst-care'],
  ['Pemberton Print (Leeds)', 'pembertonprint'],
  ['Quayside Marine', 'quaysidemarine'],
  ['Ravensworth Insurance Brokers', 'ravensworth'],
  ['Saltmarsh Brewing Co.', 'saltmarshbrewing'],
  ['Thistledown Nurseries', 'thistledown'],
  ['Underhill Quarry Products', 'underhillquarry'],
  ['Vale of Aire Surveyors', 'valeofaire'],
  ['Wexcombe Optical', 'wexcombe'],
  ["O'Rourke & Daughters Builders", 'orourke-builders'],
  ['Yarrow Bridge Hotel', 'yarrowbridge'],
  ['Zephyr Cycles', 'zephyrcycles'],
  ['Alder Grove Primary School', 'aldergrove-school'],
  ['Blackwell Motor Spares', 'blackwellspares'],
  ['Café Zoë', 'cafe-zoe'],
  ['Copperbeech Recruitment', 'copperbeech'],
  ['Drayton Pharmacy', 'draytonpharmacy'],
  ['Elmstead Parish Council', 'elmstead-pc'],
  ['Fairlight Solar', 'fairlightsolar'],
  ['مكتب النور Translations', 'alnoor-translations'],
  ['Hallam + Reeve Opticians', 'hallamreeve'],
  ['Kirkgate Joinery', 'kirkgatejoinery'],
  ['Langley/Moss Interiors', 'langleymoss'],
  ['Penrose Wealth Planning', 'penrosewealth'],
  ['Tamar Valley Coaches', 'tamarcoaches'],
];

export const southridgeCustomers: readonly (readonly [string, string])[] = [
  ['Ashby Timber Merchants', 'ashbytimber'],
  ['Bellweather Events', 'bellweather'],
  ['Cotswold Edge Physio', 'cotswoldedge'],
  ['Deepdale Plumbing', 'deepdaleplumbing'],
  ['Fenwick Road Surgery', 'fenwickroad'],
  ['Glasshouse Media', 'glasshousemedia'],
  ['Hartley & Sons Funeral Directors', 'hartleyandsons'],
  ['Ivybridge Textiles', 'ivybridgetextiles'],
  ['Mossbank Nursery', 'mossbank'],
  ['Old Mill Antiques', 'oldmillantiques'],
  ['Redcliffe Chambers', 'redcliffechambers'],
  ['Sandpiper Holidays', 'sandpiperholidays'],
];

export const firstNames =
  'Amelia Ben Chloe Daniel Esme Farid Grace Harry Imogen Jack Keira Liam Maya Nathan Olivia Priya Quentin Rosie Samuel Tara Umar Victoria William Yasmin Zachary Aisha Callum Dorothy Ewan Freya Gareth Hannah Isaac Jasmine Kwame Lucy Mohammed Niamh Oscar Poppy'.split(
    ' ',
  );

export const lastNames =
  "Hart Okafor Marsh Price Lindqvist Nasser Tull Adeyemi Barlow Clarke Davies Edwards Fraser Gallagher Hughes Iqbal Jenkins Khan Lewis MacDonald Nowak O'Brien Patel Quinn Roberts Singh Thompson Underwood Vaughan Walker Ashworth Bennett Chowdhury Dunn Ellis Foster Greenwood Holt Islam Kaur".split(
    ' ',
  );

export const jobTitles = [
  'Office manager',
  'Director',
  'Bookkeeper',
  'Operations lead',
  'Sales executive',
  'Receptionist',
  'IT coordinator',
  'Apprentice',
  'Project manager',
  'Customer adviser',
];

/** The distribution group that every seeded user is in. */
export const allStaff = 'All staff';
export const groups = [allStaff, 'Finance', 'Management', 'Reception', 'Sales', 'Site team', 'Directors'];

/** Town, county, start of the post code, and the first digits of numbers that Ofcom keeps for fiction. */
export const towns: readonly (readonly [string, string, string, string])[] = [
  ['Leeds', 'West Yorkshire', 'LS1 4', '0113496'],
  ['Manchester', 'Greater Manchester', 'M2 5', '0161496'],
  ['Bristol', 'Avon', 'BS1 6', '0117496'],
  ['Birmingham', 'West Midlands', 'B3 2', '0121496'],
  ['Sheffield', 'South Yorkshire', 'S1 2', '0114496'],
  ['Reading', 'Berkshire', 'RG1 3', '0118496'],
  ['Edinburgh', 'Midlothian', 'EH2 4', '0131496'],
  ['Leicester', 'Leicestershire', 'LE1 5', '0116496'],
];

export const streets = ['High Street', 'Mill Lane', 'Station Road', 'Church Walk', 'Albert Terrace', 'Canal Wharf'];
