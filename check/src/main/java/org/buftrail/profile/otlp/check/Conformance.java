package org.buftrail.profile.otlp.check;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.buftrail.profile.otlp.Violation;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.read.OtlpInput;
import org.buftrail.profile.otlp.read.RawDictionary;
import org.buftrail.profile.otlp.read.RawProfile;
import org.buftrail.profile.otlp.read.RawProfiles;
import org.buftrail.profile.protobuf.MalformedMessageException;

/**
 * Says whether an OTLP profile, protobuf or JSON, follows the specification, what is wrong with it
 * if not, and what could be better.
 *
 * <p>Wrong is what the .proto files forbid, or what makes no sense in them, as the conformance
 * checker of the OpenTelemetry profiling group sees it. Advice is what they recommend with SHOULD,
 * and what backends are known to refuse or to drop without it: locations without frame type,
 * periods of 0, mappings without build id. Whatever the bytes are, the answer is a list of
 * violations. Memory grows with the input, at most about 12 bytes for each of its bytes; original
 * payloads are not kept.
 */
public final class Conformance {
  private final RawProfiles message;
  private final Violations violations;

  private Conformance(RawProfiles message, Violations violations) {
    this.message = message;
    this.violations = violations;
  }

  /** What a check found. */
  public static final class Result {
    private final List<Violation> violations;
    private final long count;
    private final long adviceCount;
    private final int profiles;
    private final long samples;

    private Result(Violations violations, int profiles, long samples) {
      this.violations = violations.first();
      this.count = violations.count();
      this.adviceCount = violations.adviceCount();
      this.profiles = profiles;
      this.samples = samples;
    }

    /** Whether nothing is wrong; there may be {@linkplain #adviceCount advice}. */
    public boolean isConformant() {
      return count == 0;
    }

    /** What is wrong, the first 1,000 of it, and then the first 1,000 pieces of advice. */
    public List<Violation> violations() {
      return violations;
    }

    /** How much is wrong, without advice; also what is not in {@link #violations}. */
    public long count() {
      return count;
    }

    /** How much could be better, also what is not in {@link #violations}. */
    public long adviceCount() {
      return adviceCount;
    }

    /** Number of profiles in the message. */
    public int profiles() {
      return profiles;
    }

    /** Number of samples in all profiles. */
    public long samples() {
      return samples;
    }
  }

  /**
   * Checks a message.
   *
   * @param source read to its end, not closed
   * @throws IOException if the source cannot be read; never because of what it holds
   */
  public static Result check(InputStream source) throws IOException {
    Violations violations = new Violations();
    RawProfiles message;
    try {
      message = OtlpInput.read(source, violations);
    } catch (MalformedMessageException malformed) {
      violations.add("", String.valueOf(malformed.getMessage()));
      return new Result(violations, 0, 0);
    }
    return new Conformance(message, violations).run();
  }

  private Result run() {
    DuplicateCheck duplicates = new DuplicateCheck(message.dictionary, violations);
    OrphanCheck orphans = new OrphanCheck(message.dictionary, violations);
    ProfileCheck profileCheck = new ProfileCheck(message.dictionary, violations);
    References references = new References(message.dictionary, violations);
    int profiles = 0;
    long samples = 0;
    if (message.resources.isEmpty()) {
      violations.add("resource_profiles", "is empty");
    }
    for (RawProfiles.Resource resource : message.resources) {
      checkKeyValues(resource.place + "resource", resource.attributes, references, orphans);
      if (resource.scopes.isEmpty()) {
        violations.add(resource.place + "scope_profiles", "is empty");
      }
      for (RawProfiles.Scope scope : resource.scopes) {
        checkKeyValues(scope.place + "scope", scope.attributes, references, orphans);
        if (scope.profiles.isEmpty()) {
          violations.add(scope.place + "profiles", "is empty");
        }
        for (RawProfile profile : scope.profiles) {
          profileCheck.check(profile);
          duplicates.checkSamples(profile);
          orphans.use(profile);
          profiles++;
          samples += profile.size();
        }
      }
    }
    new DictionaryCheck(message.dictionary, violations).check();
    duplicates.checkTables();
    orphans.finish();
    return new Result(violations, profiles, samples);
  }

  private void checkKeyValues(
      String place,
      List<RawProfiles.KeyValue> keyValues,
      References references,
      OrphanCheck orphans) {
    Set<String> keys = new HashSet<>();
    orphans.use(keyValues);
    for (int i = 0; i < keyValues.size(); i++) {
      RawProfiles.KeyValue keyValue = keyValues.get(i);
      String at = place + ".attributes[" + i + "]";
      references.checkString(at, -1, ".key_strindex", keyValue.keyIndex);
      if (keyValue.value instanceof RawDictionary.StringReference) {
        int index = ((RawDictionary.StringReference) keyValue.value).index;
        references.checkString(at, -1, ".value.string_value_strindex", index);
      }
      if (keyValue.key.isEmpty() == (keyValue.keyIndex == 0)) {
        violations.add(at, "must have one of key and key_strindex");
      }
      String key = keyValue.key.isEmpty() ? references.quoted(keyValue.keyIndex) : keyValue.key;
      if (!keys.add(key)) {
        violations.add(at, "has the key " + Violations.quoted(key) + " of another attribute");
      }
    }
  }
}
