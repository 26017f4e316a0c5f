package org.buftrail.it.states;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** OpenTelemetry profiles, decoded by the published classes. */
final class ProfileReader {
  private final ProfilesDictionary dictionary;
  private final boolean isNewest;
  private final Told told;

  /** How many flows of this message went past a bound, which each of its profiles says. */
  private long past;

  private ProfileReader(ProfilesDictionary dictionary, boolean isNewest, Told told) {
    this.dictionary = dictionary;
    this.isNewest = isNewest;
    this.told = told;
  }

  /** One file or one message. */
  static Told read(byte[] profiles) throws InvalidProtocolBufferException {
    return add(profiles, true, new Told());
  }

  /**
   * Adds a message to those before.
   *
   * @param isNewest what is live, and whether anything is followed, is of the newest alone
   */
  static Told add(byte[] message, boolean isNewest, Told told)
      throws InvalidProtocolBufferException {
    ProfilesData data = ProfilesData.parseFrom(message);
    ProfileReader reader = new ProfileReader(data.getDictionary(), isNewest, told);
    for (ResourceProfiles resource : data.getResourceProfilesList()) {
      for (ScopeProfiles scope : resource.getScopeProfilesList()) {
        for (Profile profile : scope.getProfilesList()) {
          reader.profile(profile);
        }
      }
    }
    if (reader.past > 0) {
      told.add("overflowed", reader.past);
    }
    return told;
  }

  private void profile(Profile profile) {
    String type = dictionary.getStringTable(profile.getSampleType().getTypeStrindex());
    String unit = dictionary.getStringTable(profile.getSampleType().getUnitStrindex());
    if (!unit.equals(type.endsWith("_space") ? "bytes" : "count")) {
      throw new AssertionError(type + " in " + unit);
    }
    status(attributes(profile.getAttributeIndicesList()));
    String kind = type.substring(0, type.indexOf('_') < 0 ? type.length() : type.indexOf('_'));
    String suffix = type.endsWith("_space") ? "Bytes" : "";
    if (kind.equals("live") && !isNewest) {
      return;
    }
    for (Sample sample : profile.getSamplesList()) {
      sample(kind, suffix, sample);
    }
  }

  /** What the tracker says of itself, which is at each profile. */
  private void status(Map<String, String> attributes) {
    String sampling = attributes.get("buftrail.flow.sampling");
    if (sampling != null) {
      told.put("sampling", Long.parseLong(sampling));
    }
    String overflowed = attributes.get("buftrail.flow.overflowed");
    if (overflowed != null) {
      past = Math.max(past, Long.parseLong(overflowed));
    }
    String undecided = attributes.get("buftrail.flow.undecided");
    if (undecided != null) {
      told.put("undecided", Long.parseLong(undecided));
    }
    String stopped = attributes.get("buftrail.tracking.stopped");
    if (stopped != null && isNewest) {
      told.put("stopped", 1).put("stopped: " + stopped, 1);
    }
  }

  private void sample(String kind, String suffix, Sample sample) {
    Map<String, String> attributes = attributes(sample.getAttributeIndicesList());
    List<String> hops = hops(sample);
    long value = sample.getValuesList().stream().mapToLong(Long::longValue).sum();
    if (kind.equals("misuses")) {
      misuse(attributes, value);
      return;
    }
    String state = attributes.getOrDefault("buftrail.flow.state", kind);
    if (kind.equals("allocated")) {
      told.add("allocated" + suffix, value);
      if (!state.equals("released") && !state.equals("held")) {
        return;
      }
    }
    String place = Words.place(hops);
    String memory = memory(attributes);
    if (state.equals("live") && "true".equals(attributes.get("buftrail.flow.suspect"))) {
      told.add(place + ".suspect" + suffix, value);
      told.put("suspects", 1);
    }
    told.add(state + suffix, value);
    told.add(place + "." + state + suffix, value);
    if (!place.equals(memory)) {
      told.add(memory + "." + state + suffix, value);
    }
    if (state.equals("live") && suffix.isEmpty()) {
      told.add(place + ".rows", 1);
    }
  }

  private static String memory(Map<String, String> attributes) {
    String memory = attributes.get("buftrail.flow.memory");
    if (memory == null) {
      return "true".equals(attributes.get("buftrail.flow.direct")) ? "direct" : "not direct";
    }
    return memory.endsWith("Lease") ? "resource" : memory;
  }

  private void misuse(Map<String, String> attributes, long value) {
    String kind = String.valueOf(attributes.get("buftrail.misuse.kind"));
    String place = Words.place(String.valueOf(attributes.get("buftrail.misuse.place")));
    told.add(place + (kind.startsWith("double") ? ".releases" : ".uses"), value);
    told.add("misuses", value);
  }

  /** The root first. */
  private List<String> hops(Sample sample) {
    List<String> hops = new ArrayList<>();
    for (int index : dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      Location location = dictionary.getLocationTable(index);
      Function function = dictionary.getFunctionTable(location.getLines(0).getFunctionIndex());
      hops.add(0, dictionary.getStringTable(function.getNameStrindex()));
    }
    return hops;
  }

  private Map<String, String> attributes(List<Integer> indices) {
    Map<String, String> found = new HashMap<>();
    for (int index : indices) {
      KeyValueAndUnit attribute = dictionary.getAttributeTable(index);
      var value = attribute.getValue();
      String text =
          value.hasStringValue()
              ? value.getStringValue()
              : value.hasBoolValue()
                  ? Boolean.toString(value.getBoolValue())
                  : Long.toString(value.getIntValue());
      found.put(dictionary.getStringTable(attribute.getKeyStrindex()), text);
    }
    return found;
  }
}
