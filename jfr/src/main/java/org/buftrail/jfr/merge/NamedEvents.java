package org.buftrail.jfr.merge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.events.ValueExtractor;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;

/** Which of the events that were asked for by name recordings cannot give, and why. */
final class NamedEvents {
  private final List<NamedEvent> events;
  private final Map<NamedEvent, String> unmet = new LinkedHashMap<>();

  NamedEvents(List<NamedEvent> events) {
    this.events = events;
    clear();
  }

  /** Forgets all recordings. */
  void clear() {
    unmet.clear();
    for (NamedEvent event : events) {
      unmet.put(event, "no recording describes this event type");
    }
  }

  /** Looks for what is not found yet in the types of a chunk, whether there are events or not. */
  void look(Metadata metadata) {
    for (NamedEvent event : events) {
      if (unmet.containsKey(event)) {
        look(event, metadata);
      }
    }
  }

  private void look(NamedEvent event, Metadata metadata) {
    try {
      TypeDescriptor type = metadata.type(event.name());
      if (type == null || type.field("startTime") == null) {
        return;
      }
      EventKind kind = Kinds.of(event.name());
      String field = event.field();
      if (kind != null && kind.memory() != null && kind.memory().isFreed()) {
        unmet.put(
            event, "the event only ends allocations, which are a kind of profile of their own");
      } else if (field == null || ValueExtractor.number(type, field, metadata) != null) {
        unmet.remove(event);
      } else if (type.field(field) == null) {
        unmet.put(event, "the event has no field of this name");
      } else {
        unmet.put(event, "the field is no number");
      }
    } catch (DamageException e) {
      // Is reported when the event type is read.
      return;
    }
  }

  /** The requested events that no recording has, each with the reason. */
  Map<NamedEvent, String> unmet() {
    return new LinkedHashMap<>(unmet);
  }
}
