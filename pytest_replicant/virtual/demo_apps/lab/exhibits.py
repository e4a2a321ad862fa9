"""Everything that is on show, by family, in the order of the start screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import (
    accessible,
    adjusting,
    backend,
    choosing,
    covered,
    dialogs,
    dragging,
    drawn,
    dumps,
    dying,
    fields,
    late,
    lists,
    messages,
    moving,
    rows,
    surfaces,
    surroundings,
    taps,
)
from .exhibit import Exhibit

EXHIBITS: Mapping[str, tuple[type[Exhibit], ...]] = {
    "Rows and lists": (
        rows.LookAlikes,
        rows.InsertingList,
        rows.BareCards,
        lists.LongList,
        lists.EndlessList,
        lists.PullToRefresh,
        lists.NestedScrollers,
        lists.SideScroller,
        lists.TallRow,
        lists.EqualLists,
        dragging.Reorder,
        dragging.DropZones,
    ),
    "Moving and covered controls": (
        moving.MovingButton,
        rows.LayoutShift,
        covered.Overlay,
        covered.BottomBar,
        covered.SheetInApp,
        covered.LoadingVeil,
        messages.Toasts,
        messages.Snackbar,
        moving.EndlessSpinner,
        moving.Clock,
        moving.RestlessForm,
        moving.Carousel,
    ),
    "Too late, too soon": (
        late.LateButton,
        late.LateContent,
        late.Flash,
        choosing.FlipBack,
        choosing.ClosingMenu,
    ),
    "Taps that count": (
        taps.Counter,
        taps.LostTap,
        taps.PlaceOrder,
        taps.SilentOrder,
    ),
    "Dialogs": (
        dialogs.PermissionQuestion,
        dialogs.SystemNotice,
        dialogs.SurpriseDialogs,
        dialogs.Survey,
        dialogs.SameLabel,
    ),
    "Values and choices": (
        adjusting.SteppedSlider,
        adjusting.SilentSlider,
        adjusting.VerticalSlider,
        adjusting.Stepper,
        adjusting.Halves,
        adjusting.SpokenControl,
        choosing.Dropdown,
        choosing.Segments,
    ),
    "Text fields": (
        fields.DroppingField,
        fields.AutocorrectField,
        fields.MaskedField,
        fields.LimitedField,
        fields.HintField,
    ),
    "What cannot be read": (
        surfaces.WebPage,
        surfaces.BareCanvas,
        surfaces.PinchMap,
        drawn.DrawnText,
        drawn.DrawnButton,
        drawn.IconRow,
        drawn.DrawnGame,
        dumps.SlowDump,
        dumps.StaleDump,
        dumps.TruncatedDump,
        dumps.NoDump,
        dumps.DeepScreen,
    ),
    "What keeps people out": (accessible.AccessibilityDefects,),
    "Failures": (
        backend.Backend,
        backend.FailingBackend,
        backend.SilentBackend,
        dying.Hang,
        dying.Crash,
        dying.BackgroundCrash,
    ),
    "Surroundings": (
        surroundings.Offline,
        surroundings.Rotation,
        surroundings.FileImport,
    ),
}


def all_exhibits() -> Iterator[type[Exhibit]]:
    for family in EXHIBITS.values():
        yield from family


def exhibit_named(slug: str) -> type[Exhibit] | None:
    return next((exhibit for exhibit in all_exhibits() if exhibit.slug == slug), None)
