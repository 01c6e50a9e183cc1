/** Names of columns that mean the same, in English and German. */

/** Each line: names of one thing, as people and programs write them. */
const groups = [
  'zip zipcode postcode postalcode postleitzahl plz',
  'email mail emailaddress mailaddress mailadresse emailadresse',
  'phone phonenumber telephone tel telefon telefonnummer mobile handy',
  'name fullname displayname vollername',
  'firstname givenname forename vorname',
  'lastname surname familyname nachname familienname',
  'company organization organisation firma unternehmen',
  'street address addressline strasse adresse anschrift',
  'city town place ort stadt wohnort',
  'state region province bundesland',
  'country nation land staat',
  'price cost preis kosten',
  'amount total sum value betrag summe wert',
  'revenue sales turnover umsatz',
  'quantity qty count anzahl menge stueck',
  'date day datum tag',
  'since start startdate begin from beginn seit von',
  'until end enddate to ende bis',
  'birthday birthdate dateofbirth dob geburtstag geburtsdatum',
  'created createdat creationdate erstellt angelegt',
  'updated updatedat modified geaendert',
  'description text details beschreibung bezeichnung',
  'title subject heading titel betreff ueberschrift',
  'comment note notes remark kommentar notiz bemerkung',
  'category kind type group kategorie art typ gruppe',
  'status state zustand',
  'active enabled aktiv',
  'product item article produkt artikel',
  'currency waehrung',
  'website url link homepage webseite',
  'gender sex geschlecht',
  'age years alter jahre',
  'language locale sprache',
  'id identifier key number nr no nummer kennung',
].map((line) => new Set(line.split(' ')));

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => umlauts[letter] ?? letter)
    .replaceAll(/[^a-z0-9]/g, '');

/** The first of the names that means the same as `wanted`. */
export function sameMeaning(wanted: string, names: readonly string[]): string | undefined {
  const asked = plain(wanted);
  const meanings = groups.filter((group) => group.has(asked));
  return names.find((name) => plain(name) === asked || meanings.some((group) => group.has(plain(name))));
}

/** Whether a column so called tells its records apart. */
export const isKeyName = (name: string): boolean => /^(id|uuid|guid|key|nr|no|nummer|number|identifier)$/.test(plain(name));
