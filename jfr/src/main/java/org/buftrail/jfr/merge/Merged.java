package org.buftrail.jfr.merge;

import java.util.List;
import java.util.Map;
import org.buftrail.profile.Profiles;

/**
 * What recordings became.
 *
 * @param profiles the profiles, over one dictionary
 * @param tally what was found
 * @param faults what could not be read
 * @param notes what else is worth knowing, a sentence each
 * @param unmet events asked for by name of which no profile can be made, each with the reason
 */
public record Merged(
    Profiles profiles,
    Tally tally,
    List<Fault> faults,
    List<String> notes,
    Map<NamedEvent, String> unmet) {}
