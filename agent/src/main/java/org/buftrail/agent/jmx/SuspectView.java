package org.buftrail.agent.jmx;

import org.buftrail.model.Suspects;
import org.buftrail.report.SuspectText;
import org.jspecify.annotations.Nullable;

/** A path that looks like a leak, and why, as JMX carries it. Immutable. */
public final class SuspectView {
  private final Suspects.Suspect suspect;

  SuspectView(Suspects.Suspect suspect) {
    this.suspect = suspect;
  }

  public PathView getPath() {
    return new PathView(suspect.path());
  }

  /** Buffers that came there. */
  public long getArrivedCount() {
    return suspect.arrived();
  }

  /** How many of them were released or went on. */
  public long getGoneCount() {
    return suspect.gone();
  }

  /** How old the live ones are, and within what time others were released. */
  public String getLifetimes() {
    return SuspectText.lifetimes(suspect);
  }

  /** Where buffers that came as far as the hop before are released most often, or null. */
  public @Nullable String getSiblingsReleaseIn() {
    return suspect.sibling() == null ? null : suspect.sibling().toString();
  }
}
