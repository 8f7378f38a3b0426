"""What is said where a product is refused, or where its plan is not known."""


class Refused(RuntimeError):
    """An operator that has products of matrices inside, which nothing here computes as the machine does. Nothing was computed.

    It is no `NotImplementedError`: frameworks catch that one and try something else. `is_counted` is whether a report has it.
    """

    is_counted = False


class Unknown(UserWarning):
    """A product whose plan is assumed: nobody recorded how the library cuts the sum for this shape."""
