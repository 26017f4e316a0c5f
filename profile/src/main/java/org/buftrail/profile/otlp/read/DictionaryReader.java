package org.buftrail.profile.otlp.read;

import java.io.IOException;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.otlp.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Reads {@code ProfilesDictionary}, which may come in several parts. */
final class DictionaryReader {
  private static final byte[] NOTHING = {};

  private final FieldReader fields;
  private final RawDictionary dictionary;

  DictionaryReader(FieldReader fields, RawDictionary dictionary) {
    this.fields = fields;
    this.dictionary = dictionary;
  }

  /** Reads a part that has been entered. */
  void read() throws IOException {
    dictionary.present = true;
    fields.at("dictionary");
    int field;
    while ((field = fields.next(Schema.PROFILES_DICTIONARY)) != 0) {
      if (field == OtlpFields.ProfilesDictionary.STRING_TABLE) {
        dictionary.strings.add(fields.bytes());
      } else {
        long outer = fields.enter();
        readEntry(field);
        fields.leave(outer);
        fields.at("dictionary");
      }
    }
  }

  private void readEntry(int field) throws IOException {
    switch (field) {
      case OtlpFields.ProfilesDictionary.MAPPING_TABLE:
        readMapping(dictionary.mappings);
        break;
      case OtlpFields.ProfilesDictionary.LOCATION_TABLE:
        readLocation(dictionary.locations);
        break;
      case OtlpFields.ProfilesDictionary.FUNCTION_TABLE:
        readFunction(dictionary.functions);
        break;
      case OtlpFields.ProfilesDictionary.LINK_TABLE:
        readLink(dictionary.links);
        break;
      case OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE:
        readAttribute(dictionary.attributes);
        break;
      default:
        readStack(dictionary.stacks);
        break;
    }
  }

  private void readMapping(RawDictionary.Mappings table) throws IOException {
    fields.at("dictionary.mapping_table", table.size());
    long start = 0;
    long limit = 0;
    long fileOffset = 0;
    int fileName = 0;
    int field;
    while ((field = fields.next(Schema.MAPPING)) != 0) {
      switch (field) {
        case OtlpFields.Mapping.MEMORY_START:
          start = fields.int64();
          break;
        case OtlpFields.Mapping.MEMORY_LIMIT:
          limit = fields.int64();
          break;
        case OtlpFields.Mapping.FILE_OFFSET:
          fileOffset = fields.int64();
          break;
        case OtlpFields.Mapping.FILENAME_STRINDEX:
          fileName = fields.int32();
          break;
        default:
          fields.int32s(table.attributes);
          break;
      }
    }
    table.start.add(start);
    table.limit.add(limit);
    table.fileOffset.add(fileOffset);
    table.fileName.add(fileName);
    table.attributeRows.end(table.attributes.size());
  }

  private void readLocation(RawDictionary.Locations table) throws IOException {
    fields.at("dictionary.location_table", table.size());
    int mapping = 0;
    long address = 0;
    int field;
    while ((field = fields.next(Schema.LOCATION)) != 0) {
      switch (field) {
        case OtlpFields.Location.MAPPING_INDEX:
          mapping = fields.int32();
          break;
        case OtlpFields.Location.ADDRESS:
          address = fields.int64();
          break;
        case OtlpFields.Location.LINES:
          readLine(table);
          break;
        default:
          fields.int32s(table.attributes);
          break;
      }
    }
    table.mapping.add(mapping);
    table.address.add(address);
    table.lineRows.end(table.lineFunction.size());
    table.attributeRows.end(table.attributes.size());
  }

  private void readLine(RawDictionary.Locations table) throws IOException {
    int function = 0;
    long line = 0;
    long column = 0;
    long outer = fields.enter();
    int field;
    while ((field = fields.next(Schema.LINE)) != 0) {
      switch (field) {
        case OtlpFields.Line.FUNCTION_INDEX:
          function = fields.int32();
          break;
        case OtlpFields.Line.LINE:
          line = fields.int64();
          break;
        default:
          column = fields.int64();
          break;
      }
    }
    fields.leave(outer);
    table.lineFunction.add(function);
    table.lineNumber.add(line);
    table.lineColumn.add(column);
  }

  private void readFunction(RawDictionary.Functions table) throws IOException {
    fields.at("dictionary.function_table", table.size());
    int name = 0;
    int systemName = 0;
    int fileName = 0;
    long startLine = 0;
    int field;
    while ((field = fields.next(Schema.FUNCTION)) != 0) {
      switch (field) {
        case OtlpFields.Function.NAME_STRINDEX:
          name = fields.int32();
          break;
        case OtlpFields.Function.SYSTEM_NAME_STRINDEX:
          systemName = fields.int32();
          break;
        case OtlpFields.Function.FILENAME_STRINDEX:
          fileName = fields.int32();
          break;
        default:
          startLine = fields.int64();
          break;
      }
    }
    table.name.add(name);
    table.systemName.add(systemName);
    table.fileName.add(fileName);
    table.startLine.add(startLine);
  }

  private void readLink(RawDictionary.Links table) throws IOException {
    fields.at("dictionary.link_table", table.size());
    byte[] trace = NOTHING;
    byte[] span = NOTHING;
    int field;
    while ((field = fields.next(Schema.LINK)) != 0) {
      if (field == OtlpFields.Link.TRACE_ID) {
        trace = fields.bytes();
      } else {
        span = fields.bytes();
      }
    }
    table.trace.add(trace);
    table.span.add(span);
  }

  private void readAttribute(RawDictionary.Attributes table) throws IOException {
    fields.at("dictionary.attribute_table", table.size());
    int key = 0;
    int unit = 0;
    @Nullable Object value = null;
    int field;
    while ((field = fields.next(Schema.KEY_VALUE_AND_UNIT)) != 0) {
      switch (field) {
        case OtlpFields.KeyValueAndUnit.KEY_STRINDEX:
          key = fields.int32();
          break;
        case OtlpFields.KeyValueAndUnit.UNIT_STRINDEX:
          unit = fields.int32();
          break;
        default:
          long outer = fields.enter();
          value = fields.anyValue(value);
          fields.leave(outer);
          break;
      }
    }
    table.key.add(key);
    table.value.add(value);
    table.unit.add(unit);
  }

  private void readStack(RawDictionary.Stacks table) throws IOException {
    fields.at("dictionary.stack_table", table.size());
    while (fields.next(Schema.STACK) != 0) {
      fields.int32s(table.locations);
    }
    table.rows.end(table.locations.size());
  }
}
