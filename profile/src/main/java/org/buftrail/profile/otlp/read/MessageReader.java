package org.buftrail.profile.otlp.read;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.otlp.schema.Schema;
import org.buftrail.profile.protobuf.ProtobufDecoder;

/** Reads {@code ProfilesData} from protobuf. */
final class MessageReader {
  private final FieldReader fields;
  private final RawProfiles message = new RawProfiles();

  private MessageReader(InputStream source, Violations violations) {
    this.fields = new FieldReader(new ProtobufDecoder(source), violations);
  }

  /**
   * Reads a message to the end of the stream.
   *
   * @param violations takes what readers pass over silently
   * @throws org.buftrail.profile.protobuf.MalformedMessageException if it is no protobuf message
   */
  static RawProfiles read(InputStream source, Violations violations) throws IOException {
    MessageReader reader = new MessageReader(source, violations);
    reader.read();
    return reader.message;
  }

  private void read() throws IOException {
    int field;
    while ((field = fields.next(Schema.PROFILES_DATA)) != 0) {
      long outer = fields.enter();
      if (field == OtlpFields.ProfilesData.DICTIONARY) {
        new DictionaryReader(fields, message.dictionary).read();
      } else {
        RawProfiles.Resource resource = message.addResource();
        readResource(resource);
      }
      fields.leave(outer);
      fields.at("");
    }
  }

  private void readResource(RawProfiles.Resource resource) throws IOException {
    fields.at(resource.name());
    int field;
    while ((field = fields.next(Schema.RESOURCE_PROFILES)) != 0) {
      if (field == OtlpFields.ResourceProfiles.SCHEMA_URL) {
        resource.schemaUrl = fields.string("schema_url");
        continue;
      }
      long outer = fields.enter();
      if (field == OtlpFields.ResourceProfiles.RESOURCE) {
        readResourceAttributes(resource);
      } else {
        RawProfiles.Scope scope = message.addScope(resource);
        readScope(scope);
      }
      fields.leave(outer);
      fields.at(resource.name());
    }
  }

  private void readResourceAttributes(RawProfiles.Resource resource) throws IOException {
    int field;
    while ((field = fields.next(Schema.RESOURCE)) != 0) {
      switch (field) {
        case OtlpFields.Resource.ATTRIBUTES:
          readKeyValue(resource.attributes);
          break;
        case OtlpFields.Resource.ENTITY_REFS:
          readEntityRef();
          break;
        default:
          fields.int64();
          break;
      }
    }
  }

  /** Reads names of attributes, which no profile has: only that they are text. */
  private void readEntityRef() throws IOException {
    long outer = fields.enter();
    while (fields.next(Schema.ENTITY_REF) != 0) {
      fields.string("a text of entity_refs");
    }
    fields.leave(outer);
  }

  private void readKeyValue(List<RawProfiles.KeyValue> target) throws IOException {
    long outer = fields.enter();
    target.add(new AnyValueReader(fields).readKeyValue(0));
    fields.leave(outer);
  }

  private void readScope(RawProfiles.Scope scope) throws IOException {
    fields.at(scope.name());
    int field;
    while ((field = fields.next(Schema.SCOPE_PROFILES)) != 0) {
      if (field == OtlpFields.ScopeProfiles.SCHEMA_URL) {
        scope.schemaUrl = fields.string("schema_url");
        continue;
      }
      long outer = fields.enter();
      if (field == OtlpFields.ScopeProfiles.SCOPE) {
        readInstrumentationScope(scope);
      } else {
        new ProfileReader(fields).read(message.addProfile(scope));
      }
      fields.leave(outer);
      fields.at(scope.name());
    }
  }

  private void readInstrumentationScope(RawProfiles.Scope scope) throws IOException {
    int field;
    while ((field = fields.next(Schema.INSTRUMENTATION_SCOPE)) != 0) {
      switch (field) {
        case OtlpFields.InstrumentationScope.NAME:
          scope.name = fields.string("name");
          break;
        case OtlpFields.InstrumentationScope.VERSION:
          scope.version = fields.string("version");
          break;
        case OtlpFields.InstrumentationScope.ATTRIBUTES:
          readKeyValue(scope.attributes);
          break;
        default:
          fields.int64();
          break;
      }
    }
  }
}
