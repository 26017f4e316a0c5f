package org.buftrail.profile;

import java.util.List;
import java.util.Map;

/** A stack of a profile and what was measured there. Immutable. */
public final class StackSample {
  private final List<Frame> frames;
  private final Map<String, String> attributes;
  private final long value;

  StackSample(List<Frame> frames, Map<String, String> attributes, long value) {
    this.frames = frames;
    this.attributes = attributes;
    this.value = value;
  }

  /** The frames, the innermost first; none where no stack was recorded. */
  public List<Frame> frames() {
    return frames;
  }

  /** The attributes, such as {@code thread.name}, by key. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** The value, in the unit of the profile's {@link Profile#sampleType}. */
  public long value() {
    return value;
  }

  /** The value and the frames. */
  @Override
  public String toString() {
    return value + " " + frames;
  }
}
