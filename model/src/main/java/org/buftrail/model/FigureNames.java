package org.buftrail.model;

import java.util.EnumMap;
import java.util.Map;

/** What places call a {@link Figure}, while it is made. Used by one thread. */
final class FigureNames {
  private final Map<Figure.Place, String> names = new EnumMap<>(Figure.Place.class);

  private FigureNames at(Figure.Place place, String name) {
    names.put(place, name);
    return this;
  }

  FigureNames handlers(String name) {
    return at(Figure.Place.HANDLERS, name);
  }

  FigureNames prometheus(String name) {
    return at(Figure.Place.PROMETHEUS, "buftrail_".concat(name));
  }

  FigureNames meters(String name) {
    return at(Figure.Place.METERS, "buftrail.".concat(name));
  }

  FigureNames bean(String name) {
    return at(Figure.Place.BEAN, name);
  }

  FigureNames event(String name) {
    return at(Figure.Place.EVENT, name);
  }

  FigureNames alert(String name) {
    return at(Figure.Place.ALERT, name);
  }

  /** What each place calls it, where that shows it. */
  Map<Figure.Place, String> all() {
    return names;
  }
}
